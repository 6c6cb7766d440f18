package dev.penstock.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When to repeat an attempt.
 *
 * @param place where the file asks for it
 * @param attempts how many in all; 1 to 10, default 3
 * @param key the header that makes a request safe to repeat whatever happened to it; null repeats only what was not sent
 * @param backoff the longest wait before the second attempt; 0 to 1 min, default 50 ms
 * @param backoffMax what that wait doubles up to; default 2 s
 */
public record RetryConfig(
        FileLocation place,
        Configured<Integer> attempts,
        @Nullable Configured<String> key,
        Configured<Duration> backoff,
        Configured<Duration> backoffMax) {}
