/**
 * Databases: a target that runs one named statement for each transaction, alone or many in one commit.
 *
 * <p>{@code dev.penstock.jdbc.guard} keeps the connections alive, {@code dev.penstock.jdbc.store} keeps keys and answers.
 */
@NullMarked
package dev.penstock.jdbc;

import org.jspecify.annotations.NullMarked;
