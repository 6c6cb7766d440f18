package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.simulate.HttpSimulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    @Test
    void aFolderWithoutLoadsIsRefused() throws IOException {
        assertThat(Ran.run(new RunsCommand(), "table", folder.toString()).err())
                .contains("has no results of loads: write some with load --json");
        assertThat(Ran.run(new RunsCommand(), "table", folder.resolve("none").toString())
                        .err())
                .contains("is not a folder");
    }
}
