package dev.penstock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Contestant.Role;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTableTest {
    private static final Machine MACHINE = new Machine(2, 8_000, "Linux 6", "25.0.1");

    @Test
    void theVerdictsComeFirstThenTheTableThenTheWarnings() {
        ComparisonTable table = table("A: pay", "B: pay", "B differs");

        assertThat(table.text().lines())
                .containsExactly(
                        "load, pay: B is SLOWER by p50 ms; SAME by TPS; INCONCLUSIVE by p99 ms",
                        "",
                        "        A median  B median  B / A of means  95 % interval  1/4           1             4       verdict",
                        "TPS          200       200            1.00   1.00 to 1.00  --------------*--------------          SAME",
                        "p50 ms        10        15            1.50   1.40 to 1.60  --------------+--[*]---------        SLOWER",
                        "p99 ms       n/a        20            1.20       0 to inf  <===============*===========>  INCONCLUSIVE",
                        "",
                        "warning: B differs");
    }

    @Test
    void asMarkdownItIsOneTableEach() {
        assertThat(table("A: http://a", "B: http://b").markdown().lines())
                .containsExactly(
                        "## load, http://b against http://a",
                        "",
                        "B is SLOWER by p50 ms; SAME by TPS; INCONCLUSIVE by p99 ms",
                        "",
                        "|  | A median | B median | B / A of means | 95 % interval | verdict |",
                        "|---|---:|---:|---:|---:|---:|",
                        "| TPS | 200 | 200 | 1.00 | 1.00 to 1.00 | SAME |",
                        "| p50 ms | 10 | 15 | 1.50 | 1.40 to 1.60 | SLOWER |",
                        "| p99 ms | n/a | 20 | 1.20 | 0 to inf | INCONCLUSIVE |",
                        "");
    }

    private static ComparisonTable table(String a, String b, String... warnings) {
        List<Contestant> contestants = List.of(
                Contestant.of(a, Role.OURS, Map.of(), List.of(Map.of("tps", 200.0, "p50_ms", 10.0))),
                Contestant.of(b, Role.OURS, Map.of(), List.of(Map.of("tps", 200.0, "p50_ms", 15.0, "p99_ms", 20.0))));
        List<Comparison> verdicts = List.of(
                new Comparison(null, "tps", b, a, 1, 1, 1, Verdict.SAME),
                new Comparison(null, "p50_ms", b, a, 1.5, 1.4, 1.6, Verdict.SLOWER),
                new Comparison(null, "p99_ms", b, a, 1.2, 0, Double.MAX_VALUE, Verdict.INCONCLUSIVE));
        return new ComparisonTable(
                new ResultFile(
                        "load", "1", "c", 1, true, null, List.of(), MACHINE, null, List.of(), contestants, verdicts),
                List.of(warnings));
    }
}
