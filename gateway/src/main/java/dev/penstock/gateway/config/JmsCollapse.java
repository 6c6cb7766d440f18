package dev.penstock.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * How many messages are sent with one commit.
 *
 * @param place where the file asks for it
 * @param max how many at most; a default is left to batches
 * @param budget how long a message waits for others at most; null leaves it to Penstock
 */
public record JmsCollapse(
        Place place, Chosen<Integer> max, @Nullable Chosen<Budget> budget) implements Collapsing {}
