package dev.penstock.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Failed;
import dev.penstock.IdempotencyStore;
import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.kit.program.Programs;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** A store in a file, which one store at a time can open. */
@Timeout(300)
class JdbcIdempotencyStoreFileTest extends IdempotencyStoreContract {
    @TempDir
    Path folder;

    private JdbcIdempotencyStore one;

    @BeforeEach
    void open() {
        one = JdbcIdempotencyStore.inFile(folder.resolve("keys"));
    }

    @AfterEach
    void close() {
        one.close();
    }

    @Override
    IdempotencyStore one() {
        return one;
    }

    @Override
    IdempotencyStore other() {
        return one;
    }

    private static void assertPrivate(Path made) throws IOException {
        try (Stream<Path> all = Files.walk(made)) {
            for (Path path : all.toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                        .as(path.toString())
                        .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
            }
        }
    }

    @Test
    void onlyTheUserMayReadTheFile() throws Exception {
        Path made = folder.resolve("state/made");
        Path file = made.resolve("keys.db");
        try (JdbcIdempotencyStore store = JdbcIdempotencyStore.inFile(made.resolve("keys"))) {
            assertThat(made).doesNotExist();
            store.claim(ask("k", 1));
            assertPrivate(folder.resolve("state"));
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        try (JdbcIdempotencyStore again = JdbcIdempotencyStore.inFile(made.resolve("keys"))) {
            again.open();
            assertPrivate(made);
        }
        assertThat(file).isNotEmptyFile();
        assertPrivate(made);
    }

    @Test
    void keepsEverythingReportedAcrossARestart() throws Exception {
        one.claim(ask("k", 1));
        one.end("k", 1, bytes("ending"), DAY);
        one.close();
        open();
        assertThat(one.claim(ask("k", 2))).isInstanceOf(Claim.Ended.class);
        one.close();
        one.close();
    }

    @Test
    void keepsClaimsAndEndingsOfAKilledProcess() throws Exception {
        Process process = child(folder.resolve("keys"));
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(new String(process.getInputStream().readAllBytes()))
                .isEqualTo(9);
        // The lease of a dead process does not delay its keys.
        assertThat(one.claim(ask("under-way", 2))).isEqualTo(new Claim.Lapsed("print of under-way", 1));
        assertThat(one.claim(ask("ended", 2))).isInstanceOf(Claim.Ended.class);
    }

    @Test
    void reportsAFileLockedByAnotherProcess() throws Exception {
        Process process = new ProcessBuilder(
                        java(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Held.class.getName(),
                        folder.resolve("keys") + "")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.inputReader().readLine()).isEqualTo("open");
            assertThatThrownBy(one::open)
                    .hasMessageStartingWith("no connection: ")
                    .hasMessageContaining("locked by another process");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static Process child(Path file) throws IOException {
        return new ProcessBuilder(
                        java(), "-cp", System.getProperty("java.class.path"), Killed.class.getName(), file + "")
                .redirectErrorStream(true)
                .start();
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Claims two keys, ends one, and is killed. */
    static final class Killed {
        public static void main(String[] args) throws Exception {
            JdbcIdempotencyStore store = JdbcIdempotencyStore.inFile(Path.of(args[0]));
            store.open(); // opens the database first, so that a new JVM does not spend a claim's time on that
            store.claim(ask("ended", 1));
            store.claim(ask("under-way", 1));
            store.end("ended", 1, bytes("ending"), DAY);
            Runtime.getRuntime().halt(9);
        }
    }

    /** A claim or an ending is synced before it is reported; strace watches the process. */
    @Test
    @NeedsProgram("strace")
    void syncsBeforeReporting() throws Exception {
        String strace = Programs.path("strace");
        Path trace = folder.resolve("trace");
        Process process = new ProcessBuilder(
                        strace,
                        "-f",
                        "-o",
                        trace + "",
                        "-e",
                        "trace=fsync,fdatasync,write",
                        java(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Told.class.getName(),
                        folder.resolve("told") + "")
                .redirectErrorStream(true)
                .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        int told = 0;
        boolean synced = false;
        for (String line : Files.readAllLines(trace)) {
            synced |= line.matches(".*(fsync|fdatasync).*= 0");
            if (line.contains("write(1, \"told")) {
                assertThat(synced)
                        .as("synced before what was told as number " + told)
                        .isTrue();
                synced = false;
                told++;
            }
        }
        assertThat(told).isEqualTo(40);
    }

    /** Prints each claim and each ending. */
    static final class Told {
        public static void main(String[] args) throws Exception {
            FileOutputStream out = new FileOutputStream(FileDescriptor.out);
            try (JdbcIdempotencyStore store = JdbcIdempotencyStore.inFile(Path.of(args[0]))) {
                store.open();
                for (int key = 0; key < 20; key++) {
                    store.claim(ask("k" + key, 1));
                    out.write(bytes("told"));
                    store.end("k" + key, 1, bytes("ending"), DAY);
                    out.write(bytes("told"));
                }
            }
        }
    }

    /** Keeps the file open until it is killed. */
    static final class Held {
        public static void main(String[] args) throws Exception {
            try (JdbcIdempotencyStore store = JdbcIdempotencyStore.inFile(Path.of(args[0]))) {
                store.open();
                System.out.println("open");
                int unused = System.in.read();
            }
        }
    }

    @Test
    void reportsAFileOfAnEarlierVersion() throws Exception {
        Path before = Files.writeString(folder.resolve("keys.mv.db"), "H:2");
        assertThatThrownBy(one::open)
                .isInstanceOf(Failed.class)
                .hasMessageContaining("keys.mv.db contains keys of an earlier version of Penstock");
        Files.delete(before);
        one.open();
    }

    @Test
    void endOfAnUnknownKeyReturnsFalse() throws Exception {
        assertThat(one.end("none", 1, bytes("ending"), DAY)).isFalse();
        one.claim(ask("k", 1));
        assertThat(one.end("k", 2, bytes("ending"), DAY)).isFalse();
        assertThat(one.end("k", 1, bytes("ending"), DAY)).isTrue();
        assertThat(one.end("k", 1, bytes("ending"), DAY)).isTrue();
    }

    /** Only the time during which stores are open counts, whatever the wall clock does. */
    @Test
    void keepsKeysByTheTimeThatTheStoreIsOpen() throws Exception {
        Path file = folder.resolve("timed");
        ManualTicker ticker = new ManualTicker();
        try (JdbcIdempotencyStore store = JdbcIdempotencyStore.inFile(file, ticker)) {
            store.claim(ask("k", 1, Duration.ofSeconds(10), HOUR));
            store.end("k", 1, bytes("ending"), HOUR);
            ticker.advance(Duration.ofMinutes(40));
            assertThat(store.find("k")).isInstanceOf(Claim.Ended.class);
        }
        // A reboot: the monotonic clock starts anew, and the time in between is unknown.
        ManualTicker anew = new ManualTicker(-5);
        try (JdbcIdempotencyStore store = JdbcIdempotencyStore.inFile(file, anew)) {
            assertThat(store.find("k")).isInstanceOf(Claim.Ended.class);
            anew.advance(Duration.ofMinutes(19));
            assertThat(store.find("k")).isInstanceOf(Claim.Ended.class);
            anew.advance(Duration.ofMinutes(2));
            assertThat(store.find("k")).isNull();
        }
    }

    @Test
    void rejectsInvalidTableNames() {
        SQLiteDataSource pool = new SQLiteDataSource();
        assertThatIllegalArgumentException().isThrownBy(() -> JdbcIdempotencyStore.on(pool, "keys; drop table x"));
        assertThatIllegalArgumentException().isThrownBy(() -> JdbcIdempotencyStore.inFile(Path.of("a?cache=shared")));
        assertThat(JdbcIdempotencyStore.inFile(Path.of("state", "keys")).where())
                .isEqualTo("file keys.db");
    }

    @Test
    void sweepsExpiredKeys() throws Exception {
        for (int key = 0; key < 10; key++) {
            one.claim(ask("k" + key, 1));
            one.end("k" + key, 1, bytes("ending"), key % 2 == 0 ? Duration.ZERO : DAY);
        }
        one.sweep();
        assertThat(one.sweep()).isZero();
        assertThat(one.claim(ask("k1", 2))).isInstanceOf(Claim.Ended.class);
        assertThat(one.claim(ask("k2", 2))).isInstanceOf(Claim.Claimed.class);
    }

    @Test
    void outageNamesTheFileAndEndsWithTheFirstWrite() throws Exception {
        Path file = Files.writeString(folder.resolve("keys.db"), "not a database, ".repeat(100));
        assertThatThrownBy(() -> one.claim(ask("k", 1))).isInstanceOf(Failed.class);
        assertThat(one.outage())
                .startsWith("the key store " + file + " does not work (no connection: ")
                .contains("file is not a database")
                .matches(".*; the disk of " + folder + " has \\d+ MB free");
        Files.delete(file);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (one.outage() != null && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(one.outage()).isNull();
        assertThat(file).exists();
    }
}
