package dev.penstock.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.IdempotencyStore;
import dev.penstock.Ticker;
import dev.penstock.jdbc.store.SystemCalls.Operation;
import dev.penstock.kit.FullRun;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.kit.program.Programs;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * No acknowledged claim or ending is lost, at whatever system call the process is killed or the power fails.
 *
 * <p>A process uses the store under strace. Its system calls are replayed up to a point, and the store is opened with
 * the resulting files. {@code -Dpenstock.crash.points=2000} sets the number of points, for kills and for power failures
 * each.
 */
@Timeout(1_800)
@NeedsProgram("strace")
class CrashPointsTest {
    private static final int POINTS = Integer.getInteger("penstock.crash.points", FullRun.sized(100, 500));
    private static final int KEYS = Math.clamp(POINTS / 4, 40, 400);
    private static final int FEW_KEYS = 20;
    private static final int CALLERS = 4;
    private static final int SMALL = 100;
    private static final int LARGE = 600_000;
    private static final Path MEMORY = Path.of("/dev/shm");

    @TempDir
    static Path folder;

    /** The system calls of the embedded store, recorded once, since that takes seconds. */
    private static List<Operation> embedded = List.of();

    /** Where the keys are stored. */
    enum Store {
        EMBEDDED {
            @Override
            IdempotencyStore idempotencyStore(Path file) {
                return JdbcIdempotencyStore.inFile(file);
            }

            @Override
            StoreDatabase database(Path file) {
                return new FileDatabase(file, new KeyTable(KeyTable.DEFAULT_NAME), Ticker.SYSTEM);
            }
        },
        /** A store without sync: a power failure loses what it has acknowledged. */
        H2 {
            @Override
            IdempotencyStore idempotencyStore(Path file) {
                return JdbcIdempotencyStore.on(h2(file));
            }

            @Override
            StoreDatabase database(Path file) {
                return new PooledDatabase(() -> h2(file), new KeyTable(KeyTable.DEFAULT_NAME), Ticker.SYSTEM, () -> {});
            }

            private static JdbcDataSource h2(Path file) {
                JdbcDataSource h2 = new JdbcDataSource();
                h2.setURL("jdbc:h2:file:" + file
                        + ";WRITE_DELAY=0;TRACE_LEVEL_FILE=0;DB_CLOSE_ON_EXIT=FALSE;DB_CLOSE_DELAY="
                        + (Files.exists(file.resolveSibling("replay")) ? 0 : -1));
                return h2;
            }
        };

        abstract IdempotencyStore idempotencyStore(Path file);

        abstract StoreDatabase database(Path file);
    }

    /** Uses the store and prints its results. Ends without closing it, as after kill -9. */
    static final class Worker {
        private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

        public static void main(String[] args) throws Exception {
            Path file = Path.of(args[1]);
            int keys = Integer.parseInt(args[2]);
            String life = args[3];
            try (IdempotencyStore store = Store.valueOf(args[0]).idempotencyStore(file)) {
                work(store, life + "a", keys / 2, SMALL);
            }
            IdempotencyStore store = Store.valueOf(args[0]).idempotencyStore(file);
            work(store, life + "b", keys / 2, keys > FEW_KEYS ? LARGE : SMALL);
            Runtime.getRuntime().halt(0);
        }

        private static void work(IdempotencyStore store, String name, int keys, int largest) throws Exception {
            store.open();
            List<Thread> callers = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                int first = caller;
                callers.add(Thread.ofPlatform().start(() -> {
                    for (int key = first; key < keys; key += CALLERS) {
                        use(store, name + key, key % (keys / 10) == 0 ? largest : SMALL, key % 3);
                    }
                }));
            }
            for (Thread caller : callers) {
                caller.join();
            }
        }

        private static void use(IdempotencyStore store, String key, int size, int kind) {
            try {
                store.claim(IdempotencyStoreContract.ask(key, key.hashCode()));
                print("claimed " + key);
                if (kind == 0 || size == LARGE) {
                    store.end(key, key.hashCode(), AcknowledgedKeys.ending(key, size), IdempotencyStoreContract.DAY);
                    print("ended " + key);
                } else if (kind == 1) {
                    print("releasing " + key);
                    store.release(key, key.hashCode());
                    print("released " + key);
                }
            } catch (Exception broken) {
                print("broken " + key + " " + broken);
            }
        }

        private static void print(String line) {
            try {
                OUT.write(IdempotencyStoreContract.bytes(line + "\n"));
            } catch (IOException gone) {
                throw new IllegalStateException(gone);
            }
        }
    }

    /** The findings. */
    private static final class Findings {
        private int points;
        private final List<String> lost = new ArrayList<>();
    }

    @Test
    @Tag("full")
    void crashAtAnyPointLosesNothingAcknowledged() throws Exception {
        Findings kills = new Findings();
        Findings cuts = new Findings();
        List<Operation> operations = embedded();
        replay(Store.EMBEDDED, operations, points(operations, POINTS), kills, cuts);
        System.out.printf("%d operations; %d kills, %d power cuts%n", operations.size(), kills.points, cuts.points);
        assertThat(kills.lost).isEmpty();
        assertThat(cuts.lost).isEmpty();
        assertThat(kills.points).isEqualTo(POINTS);
        assertThat(cuts.points).isEqualTo(POINTS);
    }

    /** Proves that the test can fail. */
    @Test
    @Tag("full")
    @Tag("full-only")
    void detectsAStoreWithoutSync() throws Exception {
        Findings kills = new Findings();
        Findings cuts = new Findings();
        List<Operation> operations = record(Store.H2, 1, FEW_KEYS);
        replay(Store.H2, operations, points(operations, 10), kills, cuts);
        assertThat(cuts.lost).isNotEmpty();
    }

    /** The same, for the embedded store on a disk without sync. */
    @Test
    @Tag("full")
    @Tag("full-only")
    void detectsADiskWithoutSync() throws Exception {
        Findings kills = new Findings();
        Findings cuts = new Findings();
        List<Operation> operations = new ArrayList<>(embedded());
        operations.removeIf(operation -> operation instanceof Operation.Sync);
        replay(Store.EMBEDDED, operations, points(operations, 20), kills, cuts);
        assertThat(kills.lost).isEmpty();
        assertThat(cuts.lost).isNotEmpty();
    }

    private static List<Operation> embedded() throws Exception {
        if (embedded.isEmpty()) {
            embedded = record(Store.EMBEDDED, FullRun.sized(1, 2), KEYS);
        }
        return embedded;
    }

    private static List<Operation> record(Store store, int lives, int keys) throws Exception {
        String strace = Programs.path("strace");
        Path kept = Files.createDirectory(folder.toRealPath().resolve("recorded-" + store));
        List<Operation> operations = new ArrayList<>();
        for (int life = 0; life < lives; life++) {
            Path trace = folder.resolve("trace");
            Process process = new ProcessBuilder(
                            strace,
                            "-f",
                            "--seccomp-bpf",
                            "-y",
                            "-xx",
                            "-s",
                            "10000000",
                            "-o",
                            trace + "",
                            "-e",
                            "trace=" + SystemCalls.TRACED,
                            Path.of(System.getProperty("java.home"), "bin", "java") + "",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Worker.class.getName(),
                            store.name(),
                            kept.resolve("keys") + "",
                            keys + "",
                            "k" + life)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String out = new String(process.getInputStream().readAllBytes());
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(out).contains("ended ").contains("released ").doesNotContain("broken ");
            operations.addAll(SystemCalls.read(trace, kept));
            Files.delete(trace);
        }
        return operations;
    }

    /** The points to stop at: half of them anywhere, half of them near rare system calls. */
    private static List<Integer> points(List<Operation> operations, int wanted) {
        List<Integer> rare = new ArrayList<>();
        for (int at = 0; at < operations.size(); at++) {
            if (!(operations.get(at) instanceof Operation.Write)) {
                rare.add(at);
            }
        }
        Random random = new Random(23);
        return Stream.generate(() -> random.nextBoolean()
                        ? random.nextInt(operations.size() + 1)
                        : Math.clamp(
                                rare.get(random.nextInt(rare.size())) + random.nextInt(3) - 1L, 0, operations.size()))
                .limit(wanted)
                .sorted()
                .toList();
    }

    private static void replay(
            Store store, List<Operation> operations, List<Integer> points, Findings kills, Findings cuts)
            throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        AcknowledgedKeys keys = new AcknowledgedKeys();
        Random random = new Random(42);
        int done = 0;
        for (int point : points) {
            for (; done < point; done++) {
                Operation operation = operations.get(done);
                disk.apply(operation);
                if (operation instanceof Operation.Line line) {
                    keys.line(line.text());
                }
            }
            check(store, disk.afterKill(), keys, kills, "killed after operation " + point);
            check(store, disk.afterPowerCut(random), keys, cuts, "power cut after operation " + point);
        }
    }

    private static void check(
            Store store, Map<String, byte[]> files, AcknowledgedKeys keys, Findings findings, String when)
            throws Exception {
        findings.points++;
        Path fresh = Files.createTempDirectory(Files.isWritable(MEMORY) ? MEMORY : folder, "penstock-crash");
        try {
            Files.createFile(fresh.resolve("replay"));
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Files.write(fresh.resolve(file.getKey()), file.getValue());
            }
            try (StoreDatabase database = store.database(fresh.resolve("keys"))) {
                List<String> all = keys.keys();
                keys.lost(database.commit((connection, rows, now) -> rows.find(connection, all, now)))
                        .forEach(lost -> findings.lost.add(when + ": " + lost));
            } catch (Exception broken) {
                if (keys.size() > 0) {
                    findings.lost.add(when + ": " + broken);
                }
            }
        } finally {
            delete(fresh);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : all.toList()) {
                Files.delete(each);
            }
        }
        Files.delete(folder);
    }
}
