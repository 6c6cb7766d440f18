package dev.penstock.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How transactions wait for a permit. A null time or length is automatic.
 *
 * @param time the longest wait; 0 to 1 h
 * @param length the maximum number of waiting transactions; 0 to 1,000,000
 * @param priority the request header with the urgency of a request; null for none
 */
public record QueueConfig(
        @Nullable Configured<Duration> time,
        @Nullable Configured<Integer> length,
        @Nullable Configured<String> priority) {
    static final QueueConfig AUTOMATIC = new QueueConfig(null, null, null);
}
