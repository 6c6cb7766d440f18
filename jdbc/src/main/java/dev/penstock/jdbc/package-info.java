/**
 * JDBC: a target that executes one SQL statement for each transaction, separately or many in one commit.
 *
 * <p>{@code dev.penstock.jdbc.guard} is the connection pool, {@code dev.penstock.jdbc.store} the idempotency store.
 */
@NullMarked
package dev.penstock.jdbc;

import org.jspecify.annotations.NullMarked;
