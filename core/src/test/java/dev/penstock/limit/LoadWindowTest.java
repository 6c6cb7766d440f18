package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadWindowTest {
    private static final long MS = 1_000_000;

    private final LoadWindow window = new LoadWindow();
    private final TargetTimes times = new TargetTimes();

    /** Stretches of 10 ms with 100 permits in use, and so many answers each. */
    private void stretches(int count, long... answers) {
        for (int i = 0; i < count; i++) {
            long answered = answers[i % answers.length];
            LoadSample sample =
                    new LoadSample(i * 10 * MS, (i + 1) * 10 * MS, answered, 100 * 10 * MS, 0, 0, 0, 0, 100, 0, 1);
            window.add(sample);
        }
    }

    @Test
    void anAnswerCostsThePermitsInUseDividedByTheirRate() {
        stretches(10, 20);
        assertThat(window.cost()).as("100 permits, 2,000/s").isEqualTo(50.0 * MS);
        assertThat(Math.sqrt(window.variance())).as("the floor").isEqualTo(0.005);
    }

    @Test
    void theErrorGrowsWithTheSpreadOfSamples() {
        stretches(10, 10, 30);
        assertThat(Math.sqrt(window.variance())).isBetween(0.1, 0.2);
    }

    @Test
    void isCompleteWhenTheErrorIsSmallAgainstTheChange() {
        stretches(24, 20);
        assertThat(window.isComplete(100, times))
                .as("shorter than 250 ms, with fewer than 500 answers")
                .isFalse();
        stretches(1, 20);
        assertThat(window.isComplete(100, times)).isTrue();
    }

    @Test
    void isCompleteAfterASecondWhateverTheError() {
        stretches(99, 1, 39);
        assertThat(window.isComplete(100, times)).isFalse();
        stretches(1, 1);
        assertThat(window.isComplete(100, times)).isTrue();
    }

    @Test
    void takesLongerThanACall() {
        times.add(new LoadSample(0, 2_000 * MS, 100, 100 * 2_000 * MS, 0, 0, 0, 0, 100, 0, 1), false);
        stretches(199, 20);
        assertThat(window.isComplete(100, times)).isFalse();
        stretches(1, 20);
        assertThat(window.isComplete(100, times)).isTrue();
    }

    @Test
    void needsAnAnswer() {
        stretches(200, 0);
        assertThat(window.isComplete(100, times)).isFalse();
    }
}
