package dev.penstock.http.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IdleAgeEstimatorTest {
    private static final long SECOND = 1_000_000_000L;

    private final IdleAgeEstimator ages = new IdleAgeEstimator();

    @Test
    void nothingIsRetiredWhileNothingIsKnown() {
        assertThat(ages.retireAt()).isEqualTo(Long.MAX_VALUE);
        assertThat(ages.reason()).contains("no drops");
    }

    @Test
    void closesAtOneAgeAtDifferentMomentsAreATimeout() {
        for (int i = 1; i <= 3; i++) {
            ages.closed(5 * SECOND + i * 10_000_000L, i * 20 * SECOND);
        }
        assertThat(ages.retireAt()).isBetween(4 * SECOND, 5 * SECOND - 100_000_000L);
        assertThat(ages.reason()).isEqualTo("the peer closes connections idle for 5.01 s, seen 3 times");
    }

    @Test
    void manyClosesAtOneMomentAreNone() {
        for (int i = 0; i < 200; i++) {
            ages.closed(SECOND + i * 1_000_000L, 20 * SECOND + i * 10_000L);
        }
        assertThat(ages.retireAt()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void closesAtManyAgesAreNone() {
        for (int i = 1; i <= 10; i++) {
            ages.closed((long) (SECOND * Math.pow(1.5, i)), i * 20 * SECOND);
        }
        assertThat(ages.retireAt()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aPeerOnItsWayDownTeachesNothing() {
        for (int i = 1; i <= 100; i++) {
            ages.closed(i * 1_000L, i * SECOND);
            ages.died(i * 1_000L);
        }
        assertThat(ages.retireAt()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void afterOneSilentDeathNothingIsKeptForLongerThanWasSeenAlive() {
        ages.answered(4 * SECOND);
        ages.died(30 * SECOND);
        assertThat(ages.retireAt()).isEqualTo(4 * SECOND);
        assertThat(ages.reason()).contains("dead after 30 s idle").contains("seen alive is 4 s");
    }

    @Test
    void withNothingSeenAliveASecondHasToDo() {
        ages.died(30 * SECOND);
        assertThat(ages.retireAt()).isEqualTo(SECOND);
    }

    @Test
    void whatIsLearnedOnlyGetsShorter() {
        ages.answered(20 * SECOND);
        ages.died(30 * SECOND);
        assertThat(ages.retireAt()).isEqualTo(20 * SECOND);
        ages.died(60 * SECOND);
        assertThat(ages.retireAt()).isEqualTo(20 * SECOND);
    }

    @Test
    void aSlowAnswerIsNoDeathWhereAnOlderOneWasAliveUnlessItHappensAgain() {
        ages.answered(60 * SECOND);
        ages.died(10 * SECOND);
        ages.died(10 * SECOND);
        assertThat(ages.retireAt()).isEqualTo(Long.MAX_VALUE);
        ages.died(10 * SECOND);
        assertThat(ages.retireAt()).isEqualTo(5 * SECOND);
    }
}
