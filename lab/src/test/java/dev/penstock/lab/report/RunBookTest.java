package dev.penstock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.report.Contestant.Role;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunBookTest {
    private static final Machine MACHINE = new Machine(2, 8_000, "Linux 6", "25.0.1");

    @Test
    void runsAreSortedByWhatWasVariedAndAddedUp() {
        RunBook book = new RunBook(List.of("users", "threads"));
        book.add("c", load("closed load, 100 users for 10 s", "threads=20", true, 300, 20));
        book.add("a", load("closed load, 20 users for 10 s", "threads=20 heap=2g", true, 100, 10));
        book.add("b", load("closed load, 20 users for 10 s", "threads=5", false, 100, 12));

        assertThat(book.text().lines())
                .containsExactly(
                        "run          users  threads  count  mean ms  median  90 %  min  max  errors  TPS  KB/s",
                        "b (INVALID)     20        5    100       12      12   n/a   11   24       1   10   n/a",
                        "a               20       20    100       10      10   n/a    9   20       1   10   n/a",
                        "c              100       20    300       20      20   n/a   19   40       1   30   n/a",
                        "total                          500     16.4     n/a   n/a    9   40       3  n/a   n/a");
    }

    @Test
    void aRunMayHaveARowForEachLabel() {
        RunBook book = new RunBook(List.of("label", "users"));
        ResultFile plain = load("closed load, 100 users for 10 s", "", true, 300, 20);
        book.add("b", plain);
        book.add(
                "a",
                load("closed load, 20 users for 10 s", "", true, 100, 10)
                        .labelled(Map.of(
                                "pay", Map.of("count", 20.0, "mean_ms", 26.0, "errors", 1.0),
                                "browse", Map.of("count", 80.0, "mean_ms", 6.0, "errors", 0.0))));

        assertThat(book.text().lines())
                .containsExactly(
                        "run     label  users  count  mean ms  median  90 %  min  max  errors  TPS  KB/s",
                        "a      browse     20     80        6     n/a   n/a  n/a  n/a       0  n/a   n/a",
                        "b         n/a    100    300       20      20   n/a   19   40       1   30   n/a",
                        "a         pay     20     20       26     n/a   n/a  n/a  n/a       1  n/a   n/a",
                        "total                   400     17.5     n/a   n/a   19   40       2  n/a   n/a");
    }

    @Test
    void otherExperimentsAreIgnored() {
        ResultFile race = new ResultFile(
                "pool", "1", "c", 1, true, null, List.of(), MACHINE, null, List.of(), List.of(), List.of());

        assertThat(new RunBook(List.of()).add("race", race)).isFalse();
    }

    private static ResultFile load(String load, String note, boolean valid, double count, double mean) {
        Map<String, Double> block = Map.of(
                "count",
                count,
                "mean_ms",
                mean,
                "p50_ms",
                mean,
                "min_ms",
                mean - 1,
                "max_ms",
                2 * mean,
                "errors",
                1.0,
                "tps",
                count / 10);
        return new ResultFile(
                "load",
                "1",
                "c",
                1,
                valid,
                valid ? null : "it lagged",
                List.of(),
                MACHINE,
                null,
                List.of(),
                List.of(Contestant.of("pay", Role.OURS, Map.of("load", load, "note", note), List.of(block))),
                List.of());
    }
}
