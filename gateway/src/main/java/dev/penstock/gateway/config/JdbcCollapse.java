package dev.penstock.gateway.config;

import dev.penstock.collapse.Prefer;
import org.jspecify.annotations.Nullable;

/**
 * Batching of several database requests into one batch or one query.
 *
 * @param location where it is in the file
 * @param max the maximum batch size; the default depends on the kind of statement
 * @param budget the longest time a request waits for others; null is adaptive
 * @param prefer whether to optimise for fewer calls or for latency; default auto
 * @param key the parameter that orders requests with equal values across batches; null for none
 * @param lookup the column that matches rows to requests; null for a statement that writes
 */
public record JdbcCollapse(
        FileLocation location,
        Configured<Integer> max,
        @Nullable Configured<Budget> budget,
        Configured<Prefer> prefer,
        @Nullable Configured<String> key,
        @Nullable Configured<String> lookup)
        implements CollapseKind {}
