package dev.penstock.observe;

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

class RecordFileTest {
    @TempDir
    Path folder;

    private final ManualTicker ticker = new ManualTicker();

    private static byte[] line(String text) {
        return (text + "\n").getBytes(UTF_8);
    }

    @Test
    void aBoundedNumberOfFullFilesIsKept() throws Exception {
        Path file = folder.resolve("transactions.jsonl");
        RecordFile records = new RecordFile(file, 8, ticker);
        for (int number = 1; number <= 10; number++) {
            assertThat(records.write(line("line" + number))).isTrue();
        }
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).hasSize(RecordFile.KEPT + 1);
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
        RecordFile records = new RecordFile(file, RecordFile.FULL, ticker);
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
            RecordFile records = new RecordFile(disk.resolve("transactions.jsonl"), RecordFile.FULL, ticker);
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

    private static int run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
