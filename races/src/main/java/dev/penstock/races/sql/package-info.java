/**
 * What the races with a database have in common: a driver that counts what goes through it, below every pool alike, and a
 * PostgreSQL behind a middlebox.
 */
@NullMarked
package dev.penstock.races.sql;

import org.jspecify.annotations.NullMarked;
