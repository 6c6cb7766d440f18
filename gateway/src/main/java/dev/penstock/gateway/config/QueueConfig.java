package dev.penstock.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How transactions wait for a permit. What is null Penstock decides, but for the header.
 *
 * @param time how long one may wait; 0 to 1 h
 * @param length how many may wait at once; 0 to 1,000,000
 * @param priority the request header that tells how urgent a request is; null for none, and all are alike
 */
public record QueueConfig(
        @Nullable Configured<Duration> time,
        @Nullable Configured<Integer> length,
        @Nullable Configured<String> priority) {
    static final QueueConfig AUTOMATIC = new QueueConfig(null, null, null);
}
