package dev.penstock.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When to retry.
 *
 * @param location where it is in the file
 * @param attempts the total number of attempts; 1 to 10, default 3
 * @param key the header with the idempotency key, which makes every request safe to retry; null only retries requests
 *     that were not sent
 * @param backoff the longest wait before the second attempt; 0 to 1 min, default 50 ms
 * @param backoffMax the upper bound of the doubling wait; default 2 s
 */
public record RetryConfig(
        FileLocation location,
        Configured<Integer> attempts,
        @Nullable Configured<String> key,
        Configured<Duration> backoff,
        Configured<Duration> backoffMax) {}
