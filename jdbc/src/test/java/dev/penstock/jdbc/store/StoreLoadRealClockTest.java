package dev.penstock.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.Unanswered;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the store of keys and statuses costs: as it grows, for 1 to 8 gateways, and in the file of one gateway. Prints a table. Each
 * gateway is a store with connections and callers of its own, all in this process. On a machine that does nothing else:
 *
 * <pre>{@code
 * mvn -Pfull -pl jdbc -am test -Dtest=StoreLoadRealClockTest -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dtest.jvm.args=-XX:+UseSerialGC -Dpenstock.store.keys=10000000
 * }</pre>
 */
@Tag("full")
@Tag("full-only")
@Timeout(value = 12, unit = TimeUnit.HOURS)
class StoreLoadRealClockTest {
    private static final int STEPS = 10;
    private static final long STEP = Long.getLong("penstock.store.keys", 20_000) / STEPS;
    private static final int GATEWAYS = 2;
    private static final int CALLERS = 64;
    /** The keys of a row, but for those of the growth. */
    private static final long ROW = Math.max(1_000, STEP / STEPS);

    private static final byte[] ANSWER = new byte[200];
    private static final String FINGERPRINT = "0".repeat(64);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 100;
    private static final long PAUSE_NS = 100_000_000;
    private static final String GATEWAY = "gateway ";
    private static final String FORMAT = "%-32s %9s %9s %7s %9s %7s %9s %9s %10s %8s%n";

    @TempDir
    Path folder;

    private final RealPostgres postgres = RealPostgres.start();
    private final Histogram claims = new ConcurrentHistogram(3);
    private final Histogram pairs = new ConcurrentHistogram(3);
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong again = new AtomicLong();
    private FreshSchema schema;

    @BeforeEach
    void open() throws Exception {
        schema = postgres.schema();
    }

    @AfterEach
    void close() throws Exception {
        postgres.close();
    }

    /** What a caller does with the key of a number. */
    private interface Work {
        void with(JdbcIdempotencyStore store, long number) throws Exception;
    }

    /** A key of dedupe: clients choose it at random. */
    private static String key(long number) {
        return "payments/" + UUID.nameUUIDFromBytes(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
    }

    /** A key of a status: transaction ids begin with the time. */
    private static String status(long number) {
        return "status/" + new UUID(number, ~number);
    }

    @Test
    void costs() throws Exception {
        print("", "keys/s", "claim p50", "p99", "both p50", "p99 ms", "table MB", "index MB", "log B/key", "repeats");
        grow();
        for (int gateways = 1; gateways <= 8; gateways *= 2) {
            row(gateways, "dedupe, gateways: " + gateways, (store, number) -> pair(store, key(number), number, DAY));
        }
        for (int gateways = 1; gateways <= 8; gateways *= 2) {
            row(gateways, "status, gateways: " + gateways, (store, number) -> pair(store, status(number), number, DAY));
        }
        row(GATEWAYS, "keys that have ended", (store, number) -> {
            check(claim(store, key(number * 7_919 % (STEP * STEPS)), -1) instanceof Claim.Ended, number);
        });
        assertThat(schema.number("select count(*) from penstock_keys where ending is not null"))
                .isEqualTo(next.get() - ROW);
        expire();
        try (JdbcIdempotencyStore file = JdbcIdempotencyStore.inFile(folder.resolve("keys"))) {
            row(List.of(file), "dedupe in a file", ROW, (store, number) -> pair(store, key(number), number, DAY));
        }
    }

    private void grow() throws Exception {
        List<JdbcIdempotencyStore> stores = stores(GATEWAYS);
        for (int step = 1; step <= STEPS; step++) {
            String name = "dedupe, gateways: %d, to %,d".formatted(GATEWAYS, step * STEP);
            row(stores, name, STEP, (store, number) -> pair(store, key(number), number, DAY));
        }
        stores.forEach(JdbcIdempotencyStore::close);
    }

    /** Keys that expire at once, and the time to delete them. */
    private void expire() throws Exception {
        List<JdbcIdempotencyStore> stores = stores(1);
        row(stores, "keys that expire", ROW, (store, number) -> pair(store, key(number), number, Duration.ZERO));
        long begin = System.nanoTime();
        long rows = 0;
        for (int swept = 1; swept > 0; rows += swept) {
            swept = stores.getFirst().sweep();
        }
        System.out.printf("deleted %,.0f expired keys/s%n", rows / seconds(begin));
        stores.forEach(JdbcIdempotencyStore::close);
    }

    private List<JdbcIdempotencyStore> stores(int count) {
        return IntStream.range(0, count)
                .mapToObj(one -> JdbcIdempotencyStore.lazily(
                        () -> GuardedDataSource.at(schema.url())
                                .max(JdbcIdempotencyStore.CONNECTIONS)
                                .build(),
                        KeyTable.DEFAULT_NAME,
                        GATEWAY + one))
                .toList();
    }

    private void row(int gateways, String name, Work work) throws Exception {
        List<JdbcIdempotencyStore> stores = stores(gateways);
        row(stores, name, ROW, work);
        stores.forEach(JdbcIdempotencyStore::close);
    }

    private void row(List<JdbcIdempotencyStore> stores, String name, long keys, Work work) throws Exception {
        claims.reset();
        pairs.reset();
        again.set(0);
        long from = next.get();
        long log = log();
        long begin = System.nanoTime();
        List<Future<?>> callers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < CALLERS * stores.size(); caller++) {
                JdbcIdempotencyStore store = stores.get(caller % stores.size());
                callers.add(threads.submit(() -> {
                    long number = next.getAndIncrement();
                    for (; number < from + keys; number = next.getAndIncrement()) {
                        work.with(store, number);
                    }
                    return null;
                }));
            }
        }
        double seconds = seconds(begin);
        for (Future<?> caller : callers) {
            caller.get();
        }
        next.set(from + keys);
        boolean inTable = stores.getFirst().where().startsWith(GATEWAY);
        print(
                name,
                "%,.0f".formatted(keys / seconds),
                millis(claims, 50),
                millis(claims, 99),
                millis(pairs, 50),
                millis(pairs, 99),
                inTable ? "%,d".formatted(schema.number("select pg_table_size('penstock_keys')") >> 20) : "-",
                inTable ? "%,d".formatted(schema.number("select pg_indexes_size('penstock_keys')") >> 20) : "-",
                inTable ? "%,d".formatted((log() - log) / keys) : "-",
                again.get());
    }

    private static void print(Object... columns) {
        System.out.printf(FORMAT, columns);
    }

    private static String millis(Histogram nanos, double percentile) {
        return nanos.getTotalCount() == 0 ? "-" : "%.2f".formatted(nanos.getValueAtPercentile(percentile) / 1e6);
    }

    private static double seconds(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    /** The bytes that the server has written to its log. */
    private long log() throws Exception {
        return schema.number("select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint");
    }

    private void pair(JdbcIdempotencyStore store, String key, long number, Duration keep) throws Exception {
        long from = System.nanoTime();
        check(claim(store, key, number) instanceof Claim.Claimed, number);
        check(answered(() -> store.end(key, number, ANSWER, keep)), number);
        pairs.recordValue(System.nanoTime() - from);
    }

    private static void check(boolean right, long number) {
        if (!right) {
            throw new AssertionError("key " + number);
        }
    }

    private Claim claim(JdbcIdempotencyStore store, String key, long owner) throws Exception {
        long from = System.nanoTime();
        Claim claim = answered(() -> store.claim(new KeyRequest(key, FINGERPRINT, owner, LEASE, DAY)));
        claims.recordValue(System.nanoTime() - from);
        return claim;
    }

    /** A claim and an ending may be repeated, for instance after a checkpoint that took longer than 5 s. */
    private <T> T answered(Callable<T> call) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                return call.call();
            } catch (Unanswered late) {
                if (attempt == ATTEMPTS) {
                    throw late;
                }
                again.incrementAndGet();
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }
}
