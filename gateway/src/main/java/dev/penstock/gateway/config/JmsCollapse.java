package dev.penstock.gateway.config;

import dev.penstock.collapse.Prefer;
import org.jspecify.annotations.Nullable;

/**
 * How many messages are sent with one commit.
 *
 * @param place where the file asks for it
 * @param max how many at most; a default is left to batches
 * @param budget how long a message waits for others at most; null leaves it to Penstock
 * @param prefer what batches are for; auto unless given
 */
public record JmsCollapse(
        FileLocation place, Configured<Integer> max, @Nullable Configured<Budget> budget, Configured<Prefer> prefer)
        implements CollapseKind {}
