/**
 * Keys of transactions, and what became of them, in a table: in PostgreSQL for several processes, in a file for one.
 *
 * <pre>
 *   claim  --+                          +--> one statement for all, one commit --> each its own word
 *   claim  --+--> collapse, limit of 2 -+
 *   claim  --+                          penstock_keys (id, fingerprint, owner, lease_until, kept_until, ending)
 *
 *   end, release --> the same, apart from claims
 * </pre>
 *
 * <p>{@link dev.penstock.jdbc.store.JdbcIdempotencyStore} is the store. {@code StoreDatabase} does a batch in one commit: {@code
 * PooledDatabase} anywhere, {@code FileDatabase} in a file of SQLite. {@code StoreDialect} knows what databases have each in their own
 * way, {@code PostgresDurability} what PostgreSQL has to be asked for, {@code KeyRows} what is done to the table ({@code
 * PostgresKeyRows} for many rows at once, {@code PlainKeyRows} one by one anywhere), {@code KeyRow} what a row says (pure), {@code
 * Table} makes and sweeps the table, {@code StoreClock} is the time that leases and keys are kept by.
 */
@NullMarked
package dev.penstock.jdbc.store;

import org.jspecify.annotations.NullMarked;
