package dev.penstock.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Failed;
import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.ManualTicker;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In PostgreSQL, with two independent pools. */
@Timeout(300)
class JdbcIdempotencyStorePostgresTest extends PostgresIdempotencyStoreContract {
    private static final int MANY = 200;
    private static final String KEYS =
            "select count(*) from " + KeyTable.DEFAULT_NAME + " where id <> '" + StoreClock.ID + "'";

    @Override
    GuardedDataSource pool() {
        return GuardedDataSource.at(schema.url()).max(5).build();
    }

    @Override
    String table() {
        return KeyTable.DEFAULT_NAME;
    }

    @Test
    void usesAnExistingTable() throws Exception {
        one.open();
        other.open();
        one.claim(ask("k", 1));
        assertThat(schema.number(KEYS)).isEqualTo(1);
    }

    @Test
    void sweepsExpiredKeys() throws Exception {
        for (int key = 0; key < 20; key++) {
            one.claim(ask("k" + key, 1));
            one.end("k" + key, 1, bytes("ending"), key % 2 == 0 ? Duration.ZERO : DAY);
        }
        int swept = one.sweep();
        assertThat(swept).isBetween(0, 10);
        assertThat(schema.number(KEYS)).isBetween(10L, 11L);
    }

    /** Many concurrent claims and endings need far fewer commits. */
    @Test
    void batchesClaims() throws Exception {
        one.open();
        long before = commits();
        manyAtOnce(key -> one.claim(ask(key, 1)));
        manyAtOnce(key -> one.end(key, 1, bytes("ending"), DAY));
        assertThat(schema.number("select count(*) from " + KeyTable.DEFAULT_NAME + " where ending is not null"))
                .isEqualTo(MANY);
        assertThat(commits() - before).isLessThan(MANY / 4);
    }

    /** An operation on a key. */
    @FunctionalInterface
    private interface Deed {
        void with(String key) throws Exception;
    }

    /** Locks the table until all callers wait, so that the size of batches does not depend on their timing. */
    private void manyAtOnce(Deed deed) throws Exception {
        List<Thread> callers = new ArrayList<>();
        Queue<Exception> failures = new ConcurrentLinkedQueue<>();
        try (Connection other = schema.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("lock table " + KeyTable.DEFAULT_NAME + " in access exclusive mode");
            for (int caller = 0; caller < MANY; caller++) {
                String key = "k" + caller;
                callers.add(Thread.ofVirtual().start(() -> {
                    try {
                        deed.with(key);
                    } catch (Exception e) {
                        failures.add(e);
                    }
                }));
            }
            while (callers.stream().anyMatch(caller -> !isWaiting(caller))) {
                LockSupport.parkNanos(1_000_000);
            }
            other.rollback();
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(failures).isEmpty();
    }

    private static boolean isWaiting(Thread caller) {
        return switch (caller.getState()) {
            case WAITING, TIMED_WAITING, TERMINATED -> true;
            case NEW, RUNNABLE, BLOCKED -> false;
        };
    }

    private long commits() throws Exception {
        return schema.number("select pg_current_xact_id()::text::bigint");
    }

    @Test
    void reportsAMissingDatabaseWithoutHanging() throws Exception {
        GuardedDataSource nowhere = GuardedDataSource.at("jdbc:postgresql://127.0.0.1:1/none")
                .connectTimeout(Duration.ofMillis(250))
                .borrowTimeout(Duration.ofMillis(250))
                .build();
        try (nowhere;
                JdbcIdempotencyStore store = JdbcIdempotencyStore.on(nowhere)) {
            assertThatThrownBy(store::open).hasMessageStartingWith("no connection: ");
            for (int call = 0; call < 8; call++) {
                assertThatThrownBy(() -> store.claim(ask("k", 1))).isInstanceOf(Unanswered.class);
            }
        }
    }

    @Test
    void killedServerLosesNoClaimAndNoEnding() throws Exception {
        // What was written survives its process even if it is not synced.
        try (RealPostgres own = RealPostgres.start(Map.of("fsync", "off"))) {
            GuardedDataSource pool = GuardedDataSource.at(own.url())
                    .max(5)
                    .connectTimeout(Duration.ofSeconds(2))
                    .borrowTimeout(Duration.ofSeconds(2))
                    .build();
            try (pool;
                    JdbcIdempotencyStore store = JdbcIdempotencyStore.on(pool)) {
                store.claim(ask("ended", 1));
                store.end("ended", 1, bytes("ending"), DAY);
                store.claim(ask("under-way", 1));
                own.kill();
                assertThatThrownBy(() -> store.claim(ask("down", 1))).isInstanceOf(Unanswered.class);
                own.restart();
                assertThat(again(store, "ended", 2)).isInstanceOf(Claim.Ended.class);
                assertThat(again(store, "under-way", 2)).isInstanceOf(Claim.Running.class);
                // The claim may or may not have been granted: its owner may claim it again in either case.
                assertThat(again(store, "down", 1)).isInstanceOf(Claim.Claimed.class);
            }
        }
    }

    /**
     * Unsynced writes are lost when all processes of the server are killed. So a claim is synced, whatever the server's
     * default.
     */
    @Test
    void flushesClaimsEvenIfTheServerDefaultDoesNot() throws Exception {
        Map<String, String> settings = Map.of("synchronous_commit", "off", "wal_writer_delay", "10s", "fsync", "off");
        try (RealPostgres own = RealPostgres.start(settings)) {
            GuardedDataSource pool = GuardedDataSource.at(own.url()).max(5).build();
            try (pool;
                    JdbcIdempotencyStore store = JdbcIdempotencyStore.on(pool)) {
                store.claim(ask("ended", 1));
                store.claim(ask("taken-over", 1, Duration.ZERO, DAY));
                store.claim(ask("given-back", 1));
                store.end("ended", 1, bytes("ending"), DAY);
                store.release("given-back", 1);
                store.takeOver(ask("taken-over", 2), 1);
                own.kill();
                own.restart();
                assertThat(again(store, "ended", 2)).isInstanceOf(Claim.Ended.class);
                assertThat(again(store, "taken-over", 3)).isInstanceOf(Claim.Running.class);
                assertThat(again(store, "given-back", 3)).isInstanceOf(Claim.Claimed.class);
            }
        }
    }

    @Test
    void warnsOfSettingsThatMayLoseKeys() throws Exception {
        try (Connection connection = schema.connect()) {
            String fsync =
                    schema.number("select count(*) from pg_settings where name = 'fsync' and setting = 'off'") == 1
                            ? "fsync = off"
                            : "";
            assertThat(PostgresDurability.warnings(connection)).allMatch(warning -> warning.contains(fsync));
        }
    }

    @Test
    void storesOfOneTableAgreeOnTheTime() throws Exception {
        ManualTicker here = new ManualTicker();
        ManualTicker there = new ManualTicker(7_000_000_000_000L);
        try (JdbcIdempotencyStore first = JdbcIdempotencyStore.on(firstPool, KeyTable.DEFAULT_NAME, here);
                JdbcIdempotencyStore second = JdbcIdempotencyStore.on(secondPool, KeyTable.DEFAULT_NAME, there)) {
            first.claim(ask("k", 1, Duration.ofSeconds(10), HOUR));
            first.end("k", 1, bytes("ending"), HOUR);
            assertThat(second.find("k")).isInstanceOf(Claim.Ended.class);
            // While both are open, both clocks run, so this is not two hours.
            here.advance(Duration.ofMinutes(50));
            there.advance(Duration.ofMinutes(50));
            assertThat(first.find("k")).isInstanceOf(Claim.Ended.class);
            assertThat(second.find("k")).isInstanceOf(Claim.Ended.class);
            there.advance(Duration.ofMinutes(11));
            assertThat(second.find("k")).isNull();
        }
    }

    /** The store's breaker may still be open. */
    private static Claim again(JdbcIdempotencyStore store, String key, long owner) throws Exception {
        while (true) {
            try {
                return store.claim(ask(key, owner));
            } catch (Rejected | Failed later) {
                LockSupport.parkNanos(20_000_000);
            }
        }
    }
}
