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
                rounds < 6 ? null : "fewer errors",
                List.of(),
                null,
                null);
        return new ResultFile(
                "http-pool",
                "1",
                "penstock race http-pool",
                1,
                invalid == null,
                invalid,
                List.of(),
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
                        "penstock against  p99 ms     ratio of means  1/4           1             4        errors",
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
                .contains("one block per contestant: no verdicts")
                .contains("block failed: jetty, round 1: gone")
                .endsWith("INVALID, too much failed\n");
    }

    @Test
    void whatTheHostTookIsToldBeforeTheFigures() {
        ResultFile file = file(1, List.of(), List.of(), null);
        List<Contestant> robbed = file.contestants().stream()
                .map(one -> Contestant.of(
                                one.name(), one.role(), Map.of(), List.of(Map.of("p99_ms", 5.0, "steal_percent", 2.5)))
                        .in("closings"))
                .toList();
        ResultFile told = new ResultFile(
                file.experiment(),
                file.version(),
                file.command(),
                file.seed(),
                true,
                null,
                List.of(),
                file.machine(),
                null,
                file.courses(),
                robbed,
                List.of());
        String sentence =
                "during this course, the host gave 2.5 % of the CPU time that this machine demanded to others";
        assertThat(new RaceTable(told).text()).contains("\n" + sentence);
        assertThat(new RaceTable(told).markdown()).contains("\n" + sentence);
        assertThat(new RaceTable(file).text()).doesNotContain("the host gave");
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
    void goalsStandBeforeTheFiguresAndATradeoffHasATableOfItsOwn() {
        ResultFile plain = file(1, List.of(), List.of(), null);
        CourseNote note = plain.courses().getFirst();
        ResultFile file = new ResultFile(
                plain.experiment(),
                plain.version(),
                plain.command(),
                1,
                true,
                null,
                List.of(),
                plain.machine(),
                null,
                List.of(new CourseNote(
                        note.name(),
                        note.workload(),
                        1,
                        note.judged(),
                        List.of("p99_ms"),
                        Map.of(),
                        List.of(),
                        null,
                        List.of(new Goal("errors at most 0", "12", false), new Goal("TPS at least 9", "10", true)),
                        new Tradeoff("errors", "p99_ms", List.of("tps"), "what theory says", List.of()),
                        null)),
                plain.contestants(),
                List.of());

        assertThat(new RaceTable(file).text().lines().map(String::stripTrailing))
                .containsExactly(
                        "http-pool / closings",
                        "200/s, closes now and then",
                        "",
                        "one block per contestant: no verdicts",
                        "",
                        "MISSED: errors at most 0: 12",
                        "met: TPS at least 9: 10",
                        "",
                        "          role  p99 ms",
                        "penstock  ours   1,004",
                        "jetty     peer   1,010",
                        "",
                        "what theory says",
                        "",
                        "          role  errors  p99 ms  TPS",
                        "penstock  ours       0   1,004  n/a",
                        "jetty     peer      12   1,010  n/a",
                        "");
        assertThat(new RaceTable(file).markdown())
                .contains("\n\n- MISSED: errors at most 0: 12\n- met: TPS at least 9: 10\n\n|")
                .contains("what theory says\n\n|  | role | errors | p99 ms | TPS |");
    }

    @Test
    void barsShowWhereTheIntervalIs() {
        assertThat(IntervalBar.of(1, 1, 1)).isEqualTo("--------------*--------------");
        assertThat(IntervalBar.of(2, 1.5, 4)).isEqualTo("--------------+---[==*======]");
        assertThat(IntervalBar.of(0.01, 0.005, 0.02)).isEqualTo("<-------------+--------------");
        assertThat(IntervalBar.of(1, 0, Double.MAX_VALUE)).isEqualTo("<=============*=============>");
    }
}
