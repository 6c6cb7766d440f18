package dev.penstock.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.Unknown;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionTest {
    private static final long MS = 1_000_000;
    private static final ProcessUse NOTHING = new ProcessUse(0, 0, 0, 0, 1, -1, List.of());

    /** 1,000 transactions in 1 s, 100 ms each; 10 of them wrong. */
    private static LoadResult result(int transactions) {
        LoadRecorder recorder = new LoadRecorder(0, 1_000 * MS, List.of());
        for (int i = 0; i < transactions; i++) {
            recorder.started(0, 0);
            recorder.ended(i % 100 == 0 ? Outcome.WRONG : Outcome.RIGHT, 0, 0, 0, 100 * MS);
        }
        ProcessUse use = new ProcessUse(0, 0, 0, 0, 1, 2_048L * transactions, List.of())
                .beside(List.of(new ChildUse("gateway", 7, 50_000L * transactions, 64L << 20, false)));
        return LoadResult.of("a load", recorder.finish(0), 1, transactions, use);
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
        "alloc_kb_per_tx<3, true",
        "alloc_kb_per_tx>3, false",
        "child_cpu_us_per_tx>40, true",
        "child_rss_peak_mb>64, false",
    })
    void comparesAMetricWithAValue(String text, boolean met) {
        assertThat(Condition.parse(text).isMetBy(result(1_000))).isEqualTo(met);
    }

    @Test
    void aMetricThatCannotBeToldMeetsIt() {
        assertThat(Condition.parse("p99>10m").isMetBy(result(200))).isTrue();
    }

    @Test
    void aLowerBoundMeetsItWhereNothingShowsTheContrary() {
        LoadRecorder recorder = new LoadRecorder(0, 1_000 * MS, List.of());
        Outcome timeout = Outcome.of(new Unknown(Unknown.Cause.TIMEOUT, "no answer"));
        for (int i = 0; i < 400; i++) {
            recorder.started(0, 0);
            recorder.ended(i % 20 == 0 ? timeout : Outcome.RIGHT, 0, 0, 0, i % 20 == 0 ? 200 * MS : 50 * MS);
        }
        LoadResult hung = LoadResult.of("a load", recorder.finish(1_000 * MS), 1, 400, NOTHING);

        assertThat(Condition.parse("p99>150ms").isMetBy(hung)).isTrue();
        assertThat(Condition.parse("p99>150ms").isKnownBy(hung)).isTrue();
        assertThat(Condition.parse("p99>250ms").isMetBy(hung)).isTrue();
        assertThat(Condition.parse("p99>250ms").isKnownBy(hung)).isFalse();
        assertThat(Condition.parse("p90>60ms").isMetBy(hung)).isFalse();
        assertThat(Condition.parse("p99<250ms").isMetBy(hung)).isTrue();
        assertThat(Condition.parse("p99<150ms").isMetBy(hung)).isFalse();
        assertThat(Condition.parse("mean>10s").isMetBy(hung)).isTrue();
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
