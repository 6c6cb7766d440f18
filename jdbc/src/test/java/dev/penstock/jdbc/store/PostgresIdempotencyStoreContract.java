package dev.penstock.jdbc.store;

import dev.penstock.IdempotencyStore;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.ManualTicker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two stores in one table of PostgreSQL, each with its own pool. */
abstract class PostgresIdempotencyStoreContract extends IdempotencyStoreContract {
    FreshSchema schema;
    GuardedDataSource firstPool;
    GuardedDataSource secondPool;
    JdbcIdempotencyStore one;
    JdbcIdempotencyStore other;

    /** A pool of connections to the schema. */
    abstract GuardedDataSource pool() throws Exception;

    /** The table's name for these connections. */
    abstract String table();

    @BeforeEach
    void open() throws Exception {
        schema = RealPostgres.shared().schema();
        firstPool = pool();
        secondPool = pool();
        // One clock for both, so that a lease has the same duration for both.
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
