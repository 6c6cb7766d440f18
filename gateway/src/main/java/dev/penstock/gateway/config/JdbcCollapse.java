package dev.penstock.gateway.config;

import dev.penstock.collapse.Prefer;
import org.jspecify.annotations.Nullable;

/**
 * How many requests to a database become one batch, or one query.
 *
 * @param place where the file asks for it
 * @param max how many at most; a default is left to batches and lookups
 * @param budget how long a request waits for others at most; null leaves it to Penstock
 * @param prefer what batches are for; auto unless given
 * @param key the parameter whose value keeps requests in order from batch to batch; null for none
 * @param lookup the column by which rows are given back to who asked; null where the statement writes
 */
public record JdbcCollapse(
        FileLocation place,
        Configured<Integer> max,
        @Nullable Configured<Budget> budget,
        Configured<Prefer> prefer,
        @Nullable Configured<String> key,
        @Nullable Configured<String> lookup)
        implements CollapseKind {}
