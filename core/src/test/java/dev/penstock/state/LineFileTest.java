package dev.penstock.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.program.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineFileTest {
    @TempDir
    Path folder;

    private final ManualTicker ticker = new ManualTicker();

    private static byte[] line(String text) {
        return (text + "\n").getBytes(UTF_8);
    }

    @Test
    void aBoundedNumberOfFullFilesIsKept() throws Exception {
        Path file = folder.resolve("transactions.jsonl");
        LineFile records = new LineFile(file, "lines", 8, ticker::nanos);
        for (int number = 1; number <= 10; number++) {
            assertThat(records.write(line("line" + number))).isTrue();
        }
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).hasSize(LineFile.KEPT + 1);
        }
        assertThat(file).hasContent("line10\n");
        assertThat(file.resolveSibling("transactions.jsonl.1")).hasContent("line9\n");
        assertThat(file.resolveSibling("transactions.jsonl.4")).hasContent("line6\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void aFileThatIsMovedAwayIsCreatedAgain() throws Exception {
        Path file = folder.resolve("transactions.jsonl");
        LineFile records = new LineFile(file, "lines", 1 << 20, ticker::nanos);
        assertThat(records.write(line("one"))).isTrue();
        Files.move(file, folder.resolve("moved"));
        assertThat(records.write(line("two"))).isTrue();
        assertThat(file).hasContent("two\n");
    }

    @Test
    void aFullDiskLosesRecordsUntilItHasRoom() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        String mount = Programs.path("mount");
        assumeTrue(run(mount, "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk + "") == 0, "only root can mount a disk");
        try {
            LineFile records = new LineFile(disk.resolve("transactions.jsonl"), "lines", 1 << 20, ticker::nanos);
            assertThat(records.write(line("before"))).isTrue();
            Path filler = disk.resolve("filler");
            Files.write(filler, new byte[56 << 10]);
            assertThat(records.write(line("z".repeat(10_000)))).isFalse();
            Files.delete(filler);
            assertThat(records.write(line("while it is left alone"))).isFalse();
            ticker.advance(Duration.ofSeconds(10));
            assertThat(records.write(line("after"))).isTrue();
            List<String> lines = Files.readAllLines(disk.resolve("transactions.jsonl"));
            assertThat(lines).startsWith("before").endsWith("after").hasSize(3);
        } finally {
            assertThat(run(Programs.path("umount"), "-l", disk + "")).isZero();
        }
    }

    @Test
    void allFilesAreReadAndATornLineDoesNotSpoilTheNext() throws Exception {
        Path file = folder.resolve("lines");
        assertThat(new LineFile(file, "lines", 8, ticker::nanos).lines()).isEmpty();
        Files.writeString(folder.resolve("lines.2"), "one\n");
        Files.writeString(folder.resolve("lines.3"), "larger than it can be\n");
        Files.writeString(file, "tw");
        LineFile lines = new LineFile(file, "lines", 8, ticker::nanos);
        assertThat(lines.write(line("3"))).isTrue();
        assertThat(lines.lines()).containsExactly("one", "tw", "3");
    }

    private static int run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
