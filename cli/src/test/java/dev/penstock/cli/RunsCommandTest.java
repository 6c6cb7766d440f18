package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.compare.check.TableFile;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Machine;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.simulate.HttpSimulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunsCommandTest {
    @TempDir
    Path folder;

    @Test
    void aTableOfLoadsByTheirNotes() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            for (String threads : new String[] {"20", "5"}) {
                Ran.run(
                        new LoadCommand(),
                        simulator.url(),
                        "--users=3",
                        "--for=200ms",
                        "--quiet",
                        "--note=threads=" + threads,
                        "--json=" + folder.resolve("run" + threads + ".json"));
            }
        }
        Path markdown = folder.resolve("table.md");
        Ran ran =
                Ran.run(new RunsCommand(), "table", folder.toString(), "--by=users,threads", "--markdown=" + markdown);

        assertThat(ran.err()).isEmpty();
        assertThat(ran.out().lines().map(line -> line.split(" +")[0])).startsWith("run", "run5", "run20", "total");
        assertThat(ran.out()).contains("threads", "KB/s");
        assertThat(Files.readString(markdown)).startsWith("| run | users | threads | count |");
    }

    /** Writes a result with 1,000 transactions of 10 ms. */
    private void result(String name, @Nullable String whyInvalid, Map<String, Double> other) throws IOException {
        Map<String, Double> block = new LinkedHashMap<>(Map.of("count", 1_000.0, "errors", 0.0, "tps", 100.0));
        block.putAll(Map.of("mean_ms", 10.0, "min_ms", 9.0, "p50_ms", 10.0, "p90_ms", 11.0, "max_ms", 20.0));
        block.putAll(other);
        new ResultFile(
                        "load",
                        "1",
                        "penstock load",
                        1,
                        whyInvalid == null,
                        whyInvalid,
                        List.of(),
                        new Machine(2, 8_000, "Linux 6", "25.0.1"),
                        null,
                        List.of(),
                        List.of(Contestant.of("pay", Role.OURS, Map.of("load", "open load, 100/s"), List.of(block))),
                        List.of())
                .write(folder.resolve(name + ".json"));
    }

    private Ran table(String... options) {
        return Ran.run(
                new RunsCommand(),
                Stream.concat(Stream.of("table", folder.toString()), Stream.of(options))
                        .toArray(String[]::new));
    }

    @Test
    void anImpossibleFileFailsWithItsFinding() throws IOException {
        result("good", null, Map.of());
        assertThat(table().code()).isZero();
        result("bad", null, Map.of("p50_ms", 15.0, "p90_ms", 16.0));

        Ran ran = table();
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out().lines().filter(line -> line.contains(": ")))
                .singleElement()
                .asString()
                .startsWith("impossible: bad: the mean of 10 ms is too low for ");
    }

    @Test
    void anInvalidRunIsMarkedAndFails() throws IOException {
        result("late", "it lagged", Map.of());
        result("good", null, Map.of());

        Ran ran = table();
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out().lines().map(line -> line.split(" {2,}")[0]))
                .containsExactly("run", "good", "late (INVALID)", "total");
    }

    @Test
    void theTableObeysTheRulesOfTables() throws IOException {
        result("a", null, Map.of());
        result("b", null, Map.of("count", 3_333.0, "mean_ms", 12.345, "max_ms", 1_234.5, "errors", 7.0));
        Path markdown = folder.resolve("table.md");
        assertThat(table("--markdown=" + markdown).code()).isZero();

        TableFile checked = TableFile.check(markdown, null);
        assertThat(checked.rows()).isEqualTo(3);
        assertThat(checked.findings()).isEmpty();
        String text = Files.readString(markdown);
        assertThat(text).contains("| total | 4,333 |", "| n/a | n/a |");
        Files.writeString(markdown, text.replace("4,333", "4,332"));
        assertThat(TableFile.check(markdown, null).isImpossible()).isTrue();
    }

    @Test
    void aFolderWithoutLoadsIsRefused() throws IOException {
        assertThat(Ran.run(new RunsCommand(), "table", folder.toString()).err())
                .contains("has no results of loads: write some with load --json");
        assertThat(Ran.run(new RunsCommand(), "table", folder.resolve("none").toString())
                        .err())
                .contains("is not a folder");
    }
}
