package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AnswerTimesTest {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    private static final long WINDOW = 300 * SECOND;

    private final AnswerTimes times = new AnswerTimes(0);

    private void answers(long count, long nanos, long at) {
        for (long i = 0; i < count; i++) {
            times.took(nanos, at);
        }
    }

    @Test
    void allowsAMinuteUntilEnoughIsKnown() {
        answers(999, 50 * MILLI, 1);
        assertThat(times.allowed()).isEqualTo(60 * SECOND);
        assertThat(times.reason()).contains("999 so far");
        answers(1, 2 * SECOND, 1);
        assertThat(times.allowed()).isEqualTo(6 * SECOND);
        assertThat(times.reason()).contains("three times").contains("2 s");
    }

    @Test
    void allowsNeitherTooLittleNorTooMuch() {
        answers(1_000, 5 * MILLI, 1);
        assertThat(times.allowed()).isEqualTo(5 * SECOND);
        answers(1, 40 * SECOND, 1);
        assertThat(times.allowed()).isEqualTo(60 * SECOND);
    }

    @Test
    void aTimeLimitThatWasMetMakesItGrow() {
        answers(1_000, 5 * MILLI, 1);
        times.timedOut(5 * SECOND, 2);
        assertThat(times.allowed()).isEqualTo(15 * SECOND);
    }

    @Test
    void remembersTheWindowBefore() {
        answers(1_000, 4 * SECOND, 1);
        answers(1, MILLI, WINDOW);
        assertThat(times.allowed()).isEqualTo(12 * SECOND);
        answers(1_000, MILLI, 2 * WINDOW - 1);
        assertThat(times.allowed()).isEqualTo(12 * SECOND);
        answers(1, MILLI, 2 * WINDOW);
        assertThat(times.allowed()).isEqualTo(5 * SECOND);
    }

    @Test
    void oneQuickAnswerAfterAQuietNightSaysNothingOfTheNext() {
        answers(1_000, 4 * SECOND, 1);
        answers(1, MILLI, 100 * WINDOW);
        assertThat(times.allowed()).isEqualTo(60 * SECOND);
        assertThat(times.reason()).contains("1 so far");
    }

    @Test
    void silenceIsTellingWhenAnswersDoNotTakeAsLong() {
        assertThat(times.isUnusual(1)).isTrue();
        answers(1, 50 * MILLI, 1);
        times.timedOut(5 * SECOND, 2);
        assertThat(times.isUnusual(50 * MILLI - 1)).isFalse();
        assertThat(times.isUnusual(50 * MILLI)).isTrue();
        answers(1, MILLI, WINDOW);
        assertThat(times.isUnusual(49 * MILLI)).isFalse();
    }
}
