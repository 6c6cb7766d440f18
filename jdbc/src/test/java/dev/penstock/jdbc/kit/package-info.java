/**
 * For tests and races: a real PostgreSQL to start, kill and start again ({@link dev.penstock.jdbc.kit.RealPostgres}). It comes
 * with Maven, so nothing has to be installed; the environment variable {@code PENSTOCK_TEST_POSTGRES} (a JDBC URL, user and
 * password in it) puts a server of yours in the place of the shared one. PostgreSQL refuses to run as root: {@link
 * dev.penstock.jdbc.kit.RunAs} tells how it is started then. Shipped as the test-jar of jdbc.
 */
@NullMarked
package dev.penstock.jdbc.kit;

import org.jspecify.annotations.NullMarked;
