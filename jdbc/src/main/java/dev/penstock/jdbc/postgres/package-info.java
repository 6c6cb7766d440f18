/** What PostgreSQL's driver shows beyond JDBC: poolers, proof of a commit, and who sent an error. Internal. */
@NullMarked
package dev.penstock.jdbc.postgres;

import org.jspecify.annotations.NullMarked;
