package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.LeakCheck;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Connections are cut, reset and blackholed, backends terminated, the path closed, and sometimes the server killed.
 * Every transaction ends once, in time, and its ending matches the table.
 */
class AccountingUnderFaultsPostgresTest {
    /** The number of schedules. */
    private static final String SCHEDULES = "penstock.jdbc.schedules";

    /** The seed of the first schedule, to repeat a failure. */
    private static final String SEED = "penstock.jdbc.seed";

    private static final int USUAL = 16;
    private static final int CALLERS = 8;
    private static final Duration DEADLINE = Duration.ofMillis(300);
    /** Far longer than the deadline: on a blackholed path, a call without a timeout would hang for ever. */
    private static final Duration HELD = Duration.ofSeconds(60);

    private static final long TRAFFIC_MS = 400;
    private static final int KILLS_ONE_IN = 16;

    private final RealPostgres postgres = RealPostgres.start(Map.of("fsync", "off"));

    /** The endings that the callers of one schedule got. */
    private static final class Told {
        final AtomicLong offered = new AtomicLong();
        final Set<Long> answered = ConcurrentHashMap.newKeySet();
        final Set<Long> rejected = ConcurrentHashMap.newKeySet();
        final Set<Long> failed = ConcurrentHashMap.newKeySet();
        final Set<Long> unknown = ConcurrentHashMap.newKeySet();
        final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        volatile boolean over;
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void everyTransactionEndsOnceInTimeAndMatchesTheTable() throws Exception {
        long seed = Long.getLong(SEED, System.nanoTime());
        int schedules = Integer.getInteger(SCHEDULES, USUAL);
        Told all = new Told();
        try (postgres) {
            for (int i = 0; i < schedules; i++) {
                // With one schedule, the seed repeats the schedule of that number.
                Told told = run(new Random(seed + i), "seed " + (seed + i));
                all.answered.addAll(told.answered);
                all.offered.addAndGet(told.offered.get());
                all.unknown.addAll(told.unknown);
                all.failed.addAll(told.failed);
            }
        }
        assertThat(all.answered).as("some came through").isNotEmpty();
        assertThat(all.unknown.size() + all.failed.size())
                .as("and some did not")
                .isPositive();
    }

    private Told run(Random random, String seed) throws Exception {
        Told told = new Told();
        try (FreshSchema schema = postgres.schema();
                FaultyPath path = new FaultyPath(postgres.address(), random)) {
            schema.execute("create table entry (id bigint not null)");
            String how = seed + ", " + path;
            GuardedDataSource source = GuardedDataSource.at(schema.urlThrough(path.address()))
                    .max(5)
                    .connectTimeout(Duration.ofMillis(500))
                    .build();
            try (JdbcTarget target = target(source, random)) {
                Flow<JdbcRequest, JdbcAnswer> flow = flow(target, random);
                List<Thread> callers = IntStream.range(0, CALLERS)
                        .mapToObj(_ -> Thread.ofVirtual().start(() -> call(flow, told)))
                        .toList();
                breakThings(path, random);
                told.over = true;
                for (Thread caller : callers) {
                    assertThat(caller.join(HELD.multipliedBy(2)))
                            .as("a caller hangs, %s", how)
                            .isTrue();
                }
                check(flow.drain(HELD), told, how);
                LeakCheck.assertNothingHeld(flow);
                assertThat(target.connections()).as(how).containsEntry("leased", 0L);
            }
            path.interrupt();
            compare(schema, told, how);
        }
        return told;
    }

    private static JdbcTarget target(GuardedDataSource source, Random random) {
        boolean slow = random.nextBoolean();
        return JdbcTarget.on(source)
                .statement(
                        slow
                                ? "insert into entry(id) select :id from pg_sleep(0.02)"
                                : "insert into entry(id) values (:id)")
                .cancelGrace(Duration.ofMillis(100))
                .closesDataSource()
                .build();
    }

    private static Flow<JdbcRequest, JdbcAnswer> flow(JdbcTarget target, Random random) {
        FlowBuilder<Object> builder = Flow.named("entries").deadline(DEADLINE).concurrency(6);
        if (random.nextBoolean()) {
            builder.retry(Retry.whenNotSent().backoff(Duration.ofMillis(2), Duration.ofMillis(20)));
        }
        return random.nextBoolean()
                ? builder.to(target)
                : builder.to(JdbcBatch.over(target).collapse());
    }

    @SuppressWarnings("IllegalCatch") // any other exception is a failure of the test
    private static void call(Flow<JdbcRequest, JdbcAnswer> flow, Told told) {
        while (!told.over) {
            long id = told.offered.incrementAndGet();
            long start = Ticker.SYSTEM.nanos();
            try {
                flow.call(JdbcRequest.of("id", id));
                told.answered.add(id);
            } catch (Rejected e) {
                told.rejected.add(id);
            } catch (Failed e) {
                told.failed.add(id);
            } catch (Unknown e) {
                told.unknown.add(id);
            } catch (Exception | LinkageError e) {
                told.wrong.add(id + " ended by " + e);
            }
            Duration took = Duration.ofNanos(Ticker.SYSTEM.nanos() - start);
            if (took.compareTo(DEADLINE.plus(HELD)) > 0) {
                told.wrong.add(id + " took " + took.toMillis() + " ms");
            }
            parkUntil(Ticker.SYSTEM.nanos() + 1_000_000);
        }
    }

    /** Injects one fault after another while the load runs. */
    private void breakThings(FaultyPath path, Random random) throws Exception {
        long end = Ticker.SYSTEM.nanos() + TimeUnit.MILLISECONDS.toNanos(TRAFFIC_MS);
        boolean kills = random.nextInt(KILLS_ONE_IN) == 0;
        while (end - Ticker.SYSTEM.nanos() > 0) {
            parkUntil(Ticker.SYSTEM.nanos() + TimeUnit.MILLISECONDS.toNanos(20 + random.nextInt(150)));
            switch (random.nextInt(3)) {
                case 0 -> terminate();
                case 1 -> {
                    path.interrupt();
                    parkUntil(Ticker.SYSTEM.nanos() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(60)));
                    path.restore();
                }
                default -> {
                    if (kills) {
                        kills = false;
                        postgres.kill();
                        postgres.restart();
                    }
                }
            }
        }
    }

    private static void parkUntil(long nanos) {
        while (nanos - Ticker.SYSTEM.nanos() > 0) {
            Ticker.SYSTEM.parkUntil(nanos);
        }
    }

    private void terminate() throws SQLException {
        try (Connection connection = postgres.connect();
                var statement = connection.createStatement()) {
            statement.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                    + " where pid <> pg_backend_pid() and backend_type = 'client backend'");
        }
    }

    private static void check(Accounting account, Told told, String how) {
        assertThat(told.wrong).as(how).isEmpty();
        assertThat(account.isSettled()).as("%s, %s", account.sentence(), how).isTrue();
        assertThat(account.offered()).as(how).isEqualTo(told.offered.get());
        assertThat(account.answered()).as(how).isEqualTo(told.answered.size());
        assertThat(account.rejected()).as(how).isEqualTo(told.rejected.size());
        assertThat(account.failed()).as(how).isEqualTo(told.failed.size());
        assertThat(account.unknown()).as(how).isEqualTo(told.unknown.size());
    }

    private void compare(FreshSchema schema, Told told, String how) throws SQLException {
        awaitNobody();
        List<Long> there = new ArrayList<>();
        try (Connection connection = schema.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select id from entry")) {
            while (rows.next()) {
                there.add(rows.getLong(1));
            }
        }
        assertThat(there).as("once, %s", how).doesNotHaveDuplicates();
        assertThat(Set.copyOf(there)).as("answered, %s", how).containsAll(told.answered);
        assertThat(there)
                .as("failed or rejected, %s", how)
                .doesNotContainAnyElementsOf(told.failed.isEmpty() ? List.of(-1L) : told.failed)
                .doesNotContainAnyElementsOf(told.rejected.isEmpty() ? List.of(-1L) : told.rejected);
    }

    /** An aborted statement may still run in the database; each takes about 20 ms at most. */
    private void awaitNobody() throws SQLException {
        try (Connection connection = postgres.connect();
                var statement = connection.createStatement()) {
            for (int i = 0; i < 6_000; i++) {
                try (var rows = statement.executeQuery("select count(*), pg_sleep(0.01) from pg_stat_activity"
                        + " where pid <> pg_backend_pid() and backend_type = 'client backend'")) {
                    rows.next();
                    if (rows.getLong(1) == 0) {
                        return;
                    }
                }
            }
        }
        throw new AssertionError("backends of PostgreSQL are still at work after 60 s");
    }
}
