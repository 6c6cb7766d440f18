package dev.penstock.jdbc.store;

import dev.penstock.dedupe.IdempotencyStore;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.ManualTicker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two stores in one table of PostgreSQL, each with a pool of its own. */
abstract class PostgresIdempotencyStoreContract extends IdempotencyStoreContract {
    FreshSchema schema;
    GuardedDataSource firstPool;
    GuardedDataSource secondPool;
    JdbcIdempotencyStore one;
    JdbcIdempotencyStore other;

    /** A pool of connections to the schema. */
    abstract GuardedDataSource pool() throws Exception;

    /** The table, as these connections have to name it. */
    abstract String table();

    @BeforeEach
    void open() throws Exception {
        schema = RealPostgres.shared().schema();
        firstPool = pool();
        secondPool = pool();
        // One clock for both, so that a lease is as long for one as for the other.
        ManualTicker ticker = new ManualTicker();
        one = JdbcIdempotencyStore.on(firstPool, table(), ticker);
        other = JdbcIdempotencyStore.on(secondPool, table(), ticker);
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
    IdempotencyStore one() {
        return one;
    }

    @Override
    IdempotencyStore other() {
        return other;
    }
}
