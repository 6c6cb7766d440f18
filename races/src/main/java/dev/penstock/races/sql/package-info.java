/**
 * Shared by the races with a database: a driver that counts below every pool, and a PostgreSQL behind a
 * simulated middlebox.
 */
@NullMarked
package dev.penstock.races.sql;

import org.jspecify.annotations.NullMarked;
