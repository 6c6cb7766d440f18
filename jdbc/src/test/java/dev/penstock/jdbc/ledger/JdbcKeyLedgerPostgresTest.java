package dev.penstock.jdbc.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.dedupe.Claim;
import dev.penstock.dedupe.KeyLedger;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In PostgreSQL, with two pools that know nothing of each other. */
@Timeout(300)
class JdbcKeyLedgerPostgresTest extends LedgerContract {
    private static final int MANY = 200;

    private FreshSchema schema;
    private GuardedDataSource firstPool;
    private GuardedDataSource secondPool;
    private JdbcKeyLedger one;
    private JdbcKeyLedger other;

    @BeforeEach
    void open() throws Exception {
        schema = RealPostgres.shared().schema();
        firstPool = GuardedDataSource.at(schema.url()).max(5).build();
        secondPool = GuardedDataSource.at(schema.url()).max(5).build();
        one = JdbcKeyLedger.on(firstPool);
        other = JdbcKeyLedger.on(secondPool);
    }

    @AfterEach
    void close() throws Exception {
        one.close();
        other.close();
        firstPool.close();
        secondPool.close();
        schema.close();
    }

    @Override
    KeyLedger one() {
        return one;
    }

    @Override
    KeyLedger other() {
        return other;
    }

    @Test
    void aTableThatIsThereIsTaken() throws Exception {
        one.open();
        other.open();
        one.claim(ask("k", 1));
        assertThat(schema.number("select count(*) from " + Table.DEFAULT_NAME)).isEqualTo(1);
    }

    @Test
    void whatIsOverIsSweptOut() throws Exception {
        for (int key = 0; key < 20; key++) {
            one.claim(ask("k" + key, 1));
            one.end("k" + key, 1, bytes("ending"), key % 2 == 0 ? Duration.ZERO : DAY);
        }
        int swept = one.sweep();
        assertThat(swept).isBetween(0, 10);
        assertThat(schema.number("select count(*) from " + Table.DEFAULT_NAME)).isBetween(10L, 11L);
    }

    /** One claim and one ending for each, by many at once: far fewer commits than that. */
    @Test
    void claimsTravelTogether() throws Exception {
        one.open();
        long before = commits();
        manyAtOnce(key -> one.claim(ask(key, 1)));
        manyAtOnce(key -> one.end(key, 1, bytes("ending"), DAY));
        assertThat(schema.number("select count(*) from " + Table.DEFAULT_NAME + " where ending is not null"))
                .isEqualTo(MANY);
        assertThat(commits() - before).isLessThan(MANY / 4);
    }

    /** What is done with a key. */
    @FunctionalInterface
    private interface Deed {
        void with(String key) throws Exception;
    }

    /** Holds the table until all are waiting, so that how many travel together does not depend on how fast they come. */
    private void manyAtOnce(Deed deed) throws Exception {
        List<Thread> callers = new ArrayList<>();
        Queue<Exception> failures = new ConcurrentLinkedQueue<>();
        try (Connection other = schema.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("lock table " + Table.DEFAULT_NAME + " in access exclusive mode");
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
    void aDatabaseThatIsNotThereIsToldAndNothingHangs() throws Exception {
        GuardedDataSource nowhere = GuardedDataSource.at("jdbc:postgresql://127.0.0.1:1/none")
                .connectTimeout(Duration.ofMillis(250))
                .borrowTimeout(Duration.ofMillis(250))
                .build();
        try (nowhere;
                JdbcKeyLedger ledger = JdbcKeyLedger.on(nowhere)) {
            assertThatThrownBy(ledger::open).hasMessageStartingWith("no connection: ");
            for (int call = 0; call < 8; call++) {
                assertThatThrownBy(() -> ledger.claim(ask("k", 1))).isInstanceOf(Unanswered.class);
            }
        }
    }

    @Test
    void aServerThatIsKilledLosesNoClaimAndNoEnding() throws Exception {
        // What was written outlives its process without being forced to the disk.
        try (RealPostgres own = RealPostgres.start(Map.of("fsync", "off"))) {
            GuardedDataSource pool = GuardedDataSource.at(own.url())
                    .max(5)
                    .connectTimeout(Duration.ofSeconds(2))
                    .borrowTimeout(Duration.ofSeconds(2))
                    .build();
            try (pool;
                    JdbcKeyLedger ledger = JdbcKeyLedger.on(pool)) {
                ledger.claim(ask("ended", 1));
                ledger.end("ended", 1, bytes("ending"), DAY);
                ledger.claim(ask("under-way", 1));
                own.kill();
                assertThatThrownBy(() -> ledger.claim(ask("down", 1))).isInstanceOf(Unanswered.class);
                own.restart();
                assertThat(again(ledger, "ended", 2)).isInstanceOf(Claim.Ended.class);
                assertThat(again(ledger, "under-way", 2)).isInstanceOf(Claim.Running.class);
                // Nobody was told whether it was granted: who asks by the same number gets it in either case.
                assertThat(again(ledger, "down", 1)).isInstanceOf(Claim.Claimed.class);
            }
        }
    }

    /** The breaker of the ledger may still be open. */
    private static Claim again(JdbcKeyLedger ledger, String key, long owner) throws Exception {
        while (true) {
            try {
                return ledger.claim(ask(key, owner));
            } catch (Rejected | Failed later) {
                LockSupport.parkNanos(20_000_000);
            }
        }
    }
}
