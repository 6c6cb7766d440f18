/**
 * The idempotency store: keys and endings of transactions in a table, in PostgreSQL for several processes, or in a file
 * for one.
 *
 * <pre>
 *   claim  --+                          +--> one statement, one commit --> one result each
 *   claim  --+--> collapse, limit of 2 -+
 *   claim  --+                          penstock_keys (id, fingerprint, owner, lease_until, kept_until, ending)
 *
 *   end, release --> the same, in batches of their own
 * </pre>
 *
 * <p>{@link dev.penstock.jdbc.store.JdbcIdempotencyStore} is the entry point. {@code StoreDatabase} commits a batch: {@code
 * PooledDatabase} through a connection pool, {@code FileDatabase} in an SQLite file, which {@code KeyFile} opens. {@code
 * StoreDialect} knows the differences between databases, {@code PostgresDurability} the settings that make PostgreSQL's commits
 * durable. {@code KeyRows} reads and writes rows ({@code PostgresKeyRows} many at once, {@code PlainKeyRows} one by one),
 * {@code KeyRow} is the state of a row, {@code KeyTable} creates the table and deletes expired rows when {@code KeySweeper} is
 * due, {@code StoreClock} is the clock for leases and retention.
 */
@NullMarked
package dev.penstock.jdbc.store;

import org.jspecify.annotations.NullMarked;
