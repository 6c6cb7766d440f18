package dev.penstock.gateway.config;

import java.time.Duration;

/**
 * How transactions wait for a permit.
 *
 * @param time how long one may wait; 0 to 1 h, default 500 ms
 * @param length how many may wait at once; 0 to 1,000,000, default 1,024
 */
public record QueueConfig(Chosen<Duration> time, Chosen<Integer> length) {}
