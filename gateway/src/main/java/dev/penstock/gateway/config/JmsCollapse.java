package dev.penstock.gateway.config;

import dev.penstock.collapse.Prefer;
import org.jspecify.annotations.Nullable;

/**
 * Batching of several messages into one commit.
 *
 * @param location where it is in the file
 * @param max the maximum batch size
 * @param budget the longest time a message waits for others; null is adaptive
 * @param prefer whether to optimise for fewer commits or for latency; default auto
 */
public record JmsCollapse(
        FileLocation location,
        Configured<Integer> max,
        @Nullable Configured<Budget> budget,
        Configured<Prefer> prefer) implements CollapseKind {}
