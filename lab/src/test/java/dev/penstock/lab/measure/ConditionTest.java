package dev.penstock.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionTest {
    private static final long MS = 1_000_000;

    /** 1,000 transactions in 1 s, 100 ms each; 10 of them wrong. */
    private static LoadResult result(int transactions) {
        LoadRecorder recorder = new LoadRecorder(0, 1_000 * MS);
        for (int i = 0; i < transactions; i++) {
            recorder.started(0);
            recorder.ended(i % 100 == 0 ? Outcome.WRONG : Outcome.RIGHT, 0, 0, 100 * MS);
        }
        return LoadResult.of("a load", recorder.finish(), 1, transactions, new ProcessUse(0, 0, 0, 0, 1));
    }

    @ParameterizedTest
    @CsvSource({
        "p99>90ms, true",
        "p99>110ms, false",
        "p99 < 0.11s, true",
        "P50>99.5ms, true",
        "errors>0, true",
        "errors>10, false",
        "errors>0.9%, true",
        "errors>1%, false",
        "wrong<11, true",
        "tps<991, true",
        "tps<990, false",
        "lost>0, false",
    })
    void comparesAMetricWithAValue(String text, boolean met) {
        assertThat(Condition.parse(text).isMetBy(result(1_000))).isEqualTo(met);
    }

    @Test
    void aMetricThatCannotBeToldMeetsIt() {
        assertThat(Condition.parse("p99>10m").isMetBy(result(200))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "p99",
                "p99>",
                "p99=5ms",
                "p99>5",
                "p99>5parsecs",
                "errors>1ms",
                "tps<5%",
                "speed>3",
                "errors>1.2.3"
            })
    void refusesWhatIsNoConditionInOneLine(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Condition.parse(text))
                .satisfies(
                        e -> assertThat(e.getMessage()).contains("for instance").doesNotContain("\n"));
    }
}
