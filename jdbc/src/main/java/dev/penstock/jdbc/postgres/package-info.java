/**
 * Functions of PostgreSQL's driver beyond JDBC: detection of poolers, confirmed commits, and the origin of
 * errors. Internal.
 */
@NullMarked
package dev.penstock.jdbc.postgres;

import org.jspecify.annotations.NullMarked;
