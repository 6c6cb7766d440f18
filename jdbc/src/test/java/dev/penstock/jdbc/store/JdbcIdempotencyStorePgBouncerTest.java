package dev.penstock.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.kit.PgBouncer;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.program.NeedsProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In PostgreSQL, behind a pooler that assigns another backend to each transaction. */
@Timeout(300)
@NeedsProgram("pgbouncer")
class JdbcIdempotencyStorePgBouncerTest extends PostgresIdempotencyStoreContract {
    private static final int KEYS = 2_000;
    private static final int CALLERS = 50;

    private PgBouncer bouncer;

    @Override
    GuardedDataSource pool() {
        return GuardedDataSource.at(schema.urlThrough(bouncer.address())).build();
    }

    @Override
    String table() {
        return schema.name() + "." + KeyTable.DEFAULT_NAME;
    }

    @BeforeEach
    @Override
    void open() throws Exception {
        bouncer = PgBouncer.before(RealPostgres.shared().address(), "transaction", Map.of("server_idle_timeout", "1"));
        super.open();
    }

    @AfterEach
    @Override
    void close() throws Exception {
        super.close();
        bouncer.close();
    }

    /** Counts the rows over a connection without the pooler. */
    @Test
    void everythingReportedIsInTheTable() throws Exception {
        Queue<String> claimed = new ConcurrentLinkedQueue<>();
        Queue<String> ended = new ConcurrentLinkedQueue<>();
        Queue<Exception> broken = new ConcurrentLinkedQueue<>();
        List<Thread> callers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            int first = caller;
            callers.add(Thread.ofVirtual().start(() -> {
                for (int key = first; key < KEYS; key += CALLERS) {
                    try {
                        JdbcIdempotencyStore store = key % 2 == 0 ? one : other;
                        if (store.claim(ask("k" + key, 1)) instanceof Claim.Claimed) {
                            claimed.add("k" + key);
                        }
                        if (store.end("k" + key, 1, bytes("ending"), DAY)) {
                            ended.add("k" + key);
                        }
                    } catch (Exception thrown) {
                        broken.add(thrown);
                    }
                }
            }));
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(broken).isEmpty();
        assertThat(claimed).hasSize(KEYS);
        assertThat(ended).hasSize(KEYS);
        assertThat(schema.number("select count(*) from " + KeyTable.DEFAULT_NAME + " where ending is not null"))
                .isEqualTo(KEYS);
    }
}
