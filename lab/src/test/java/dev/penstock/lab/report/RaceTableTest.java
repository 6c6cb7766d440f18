package dev.penstock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Contestant.Role;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RaceTableTest {
    private static Contestant contestant(String name, Role role, double p99, double errors) {
        return Contestant.of(name, role, Map.of(), List.of(Map.of("p99_ms", p99, "errors", errors)))
                .in("closings");
    }

    private static ResultFile file(
            int rounds, List<Comparison> verdicts, List<String> failed, @Nullable String invalid) {
        CourseNote note = new CourseNote(
                "closings",
                "200/s, closes now and then",
                rounds,
                List.of("p99_ms", "errors"),
                List.of("p99_ms", "errors", "tps"),
                rounds < 6 ? Map.of() : Map.of("p99_ms", 1.25),
                failed,
                rounds < 6 ? null : "fewer errors");
        return new ResultFile(
                "http-pool",
                "1",
                "penstock race http-pool",
                1,
                invalid == null,
                invalid,
                Machine.here(),
                null,
                List.of(note),
                List.of(contestant("penstock", Role.OURS, 1004, 0), contestant("jetty", Role.PEER, 1010, 12)),
                verdicts);
    }

    private static final List<Comparison> VERDICTS = List.of(
            new Comparison("closings", "p99_ms", "penstock", "jetty", 0.5, 0.4, 0.6, Verdict.FASTER),
            new Comparison("closings", "errors", "penstock", "jetty", 0.04, 0.01, 0.2, Verdict.FASTER));

    @Test
    void theVerdictComesFirstThenWhyThenTheFigures() {
        String text = new RaceTable(file(6, VERDICTS, List.of(), null)).text();
        assertThat(text.lines().map(String::stripTrailing))
                .containsExactly(
                        "http-pool / closings",
                        "200/s, closes now and then",
                        "",
                        "penstock against  p99 ms              ratio  1/4           1             4        errors",
                        "jetty             FASTER  0.50 [0.40, 0.60]  -----[=*=]----+--------------  FASTER 0.040",
                        "why: fewer errors",
                        "the same contestant run twice differed by at most 1.3 % (p99 ms)",
                        "",
                        "          role  p99 ms  errors  TPS",
                        "penstock  ours   1,004       0  n/a",
                        "jetty     peer   1,010      12  n/a",
                        "");
    }

    @Test
    void withoutVerdictsItSaysSo() {
        String text = new RaceTable(file(1, List.of(), List.of("jetty, round 1: gone"), "too much failed")).text();
        assertThat(text)
                .contains("one block each: figures, no verdicts")
                .contains("no figures: jetty, round 1: gone")
                .endsWith("INVALID, too much failed\n");
    }

    @Test
    void markdownHasTheSameTables() {
        String markdown = new RaceTable(file(6, VERDICTS, List.of(), null)).markdown();
        assertThat(markdown)
                .contains("## http-pool / closings")
                .contains("| jetty | FASTER | 0.50 [0.40, 0.60] | FASTER 0.040 |")
                .contains("| penstock | ours | 1,004 | 0 | n/a |");
    }

    @Test
    void barsShowWhereTheIntervalIs() {
        assertThat(IntervalBar.of(1, 1, 1)).isEqualTo("--------------*--------------");
        assertThat(IntervalBar.of(2, 1.5, 4)).isEqualTo("--------------+---[==*======]");
        assertThat(IntervalBar.of(0.01, 0.005, 0.02)).isEqualTo("<-------------+--------------");
        assertThat(IntervalBar.of(1, 0, Double.MAX_VALUE)).isEqualTo("<=============*=============>");
    }
}
