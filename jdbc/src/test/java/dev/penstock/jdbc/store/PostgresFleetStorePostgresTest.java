package dev.penstock.jdbc.store;

import static dev.penstock.fleet.FleetStore.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.fleet.FleetStore.Claim;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In PostgreSQL, each member with a pool of its own. */
@Timeout(300)
class PostgresFleetStorePostgresTest {
    private static final String FLEET = "payments";
    private static final String LOCK_TIMEOUT = "55P03";

    private FreshSchema schema;
    private final List<PostgresFleetStore> stores = new ArrayList<>();

    @BeforeEach
    void create() throws Exception {
        schema = RealPostgres.shared().schema();
    }

    @AfterEach
    void drop() throws Exception {
        stores.forEach(PostgresFleetStore::close);
        schema.close();
    }

    private PostgresFleetStore store() {
        return store(schema.url());
    }

    private PostgresFleetStore store(String url) {
        PostgresFleetStore store =
                new PostgresFleetStore(() -> GuardedDataSource.at(url).max(2).build());
        stores.add(store);
        return store;
    }

    /** The claims of the others, as if made now. */
    private static List<Claim> meet(PostgresFleetStore store, String fleet, Claim own) throws SQLException {
        return others(store, fleet, own).stream()
                .map(other -> new Claim(other.member(), other.wants(), other.holds()))
                .toList();
    }

    private static List<Claim> others(PostgresFleetStore store, String fleet, Claim own) throws SQLException {
        List<Claim> seen = new ArrayList<>();
        meet(store, fleet, own.member(), others -> {
            seen.clear();
            seen.addAll(others);
            return own;
        });
        return seen;
    }

    /** Meets again when this machine was too busy for the time that a meeting may take. */
    private static void meet(PostgresFleetStore store, String fleet, String member, Function<List<Claim>, Claim> decide)
            throws SQLException {
        while (true) {
            try {
                store.meet(fleet, member, decide);
                return;
            } catch (SQLException late) {
                if (!(late instanceof SQLTransientConnectionException) && !LOCK_TIMEOUT.equals(late.getSQLState())) {
                    throw late;
                }
            }
        }
    }

    @Test
    void membersSeeEachOtherAndNotThemselves() throws Exception {
        Claim one = new Claim("one", 7, 5);
        assertThat(meet(store(), FLEET, one)).isEmpty();
        assertThat(meet(store(), FLEET, new Claim("two", 1, 1))).containsExactly(one);
        assertThat(meet(stores.getFirst(), FLEET, new Claim("one", 8, 6))).containsExactly(new Claim("two", 1, 1));
        assertThat(meet(store(), "refunds", one)).isEmpty();
    }

    @Test
    void membersSeeHowLongAgoOthersMet() throws Exception {
        meet(store(), FLEET, new Claim("one", 1, 1));
        schema.execute("update penstock_fleet set lease_until = clock_timestamp() + interval '3 s'");
        assertThat(others(store(), FLEET, new Claim("two", 1, 1)))
                .singleElement()
                .satisfies(one -> assertThat(one.ago()).isBetween(LEASE.minusSeconds(3), LEASE));
    }

    @Test
    void whoLeftOrWhoseLeaseEndedIsNotSeen() throws Exception {
        meet(store(), FLEET, new Claim("one", 1, 1));
        meet(store(), FLEET, new Claim("two", 1, 1));
        meet(store(), FLEET, new Claim("three", 1, 1));
        stores.getFirst().leave(FLEET, "one");
        schema.execute("update penstock_fleet set lease_until = clock_timestamp() where member = 'two'");
        assertThat(meet(stores.getLast(), FLEET, new Claim("three", 1, 1))).isEmpty();
        stores.getLast().leave(FLEET, "three");
        assertThat(schema.number("select count(*) from penstock_fleet")).isZero();
    }

    /** Each takes one unit more than the others hold, so a decision on old claims would give one number twice. */
    @Test
    void decisionsAreMadeOneAfterTheOtherWhateverTheDefaultIsolation() throws Exception {
        String url = schema.url() + "&options=-c%20default_transaction_isolation=serializable";
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Void>> members = IntStream.range(0, 20)
                    .<Callable<Void>>mapToObj(i -> {
                        PostgresFleetStore store = store(url);
                        return () -> {
                            meet(store, FLEET, "m" + i, others -> new Claim("m" + i, 0, others.size()));
                            return null;
                        };
                    })
                    .toList();
            for (Future<Void> each : threads.invokeAll(members)) {
                each.get();
            }
        }
        assertThat(schema.number("select count(distinct holds) from penstock_fleet"))
                .isEqualTo(20);
    }

    @Test
    void aMemberThatStopsWhileItDecidesHoldsUpTheOthersForTwoSeconds() throws Exception {
        PostgresFleetStore stopped = store();
        PostgresFleetStore other = store();
        meet(other, FLEET, new Claim("other", 1, 1));
        CountDownLatch decides = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> late = threads.submit(() -> {
                stopped.meet(FLEET, "stopped", others -> {
                    decides.countDown();
                    await(goesOn);
                    return new Claim("stopped", 1, 1);
                });
                return null;
            });
            decides.await();
            List<Claim> seen = null;
            while (seen == null) {
                try {
                    seen = meet(other, FLEET, new Claim("other", 1, 1));
                } catch (SQLException locked) {
                    // Until the database ends the transaction that does nothing.
                }
            }
            assertThat(seen).isEmpty();
            goesOn.countDown();
            assertThatThrownBy(late::get).hasRootCauseInstanceOf(SQLException.class);
        }
        assertThat(meet(other, FLEET, new Claim("other", 1, 1))).isEmpty();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
