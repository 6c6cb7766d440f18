package dev.penstock.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The connection pool of a target. Null means absent or {@code auto}.
 *
 * @param max the maximum number of connections
 * @param waiting how long a call waits for a connection
 * @param idle the idle time after which a connection is closed
 * @param sweep how often idle connections are checked
 * @param maxAge the age beyond which a connection is not reused
 * @param connectTimeout how long connecting may take
 * @param responseTimeout how long an answer may take, if the deadline is not earlier
 * @param validateAfter the idle time after which a connection is validated before use
 * @param maxAnswer the largest answer body, in bytes
 */
public record PoolConfig(
        @Nullable Configured<Integer> max,
        @Nullable Configured<Duration> waiting,
        @Nullable Configured<Duration> idle,
        @Nullable Configured<Duration> sweep,
        @Nullable Configured<Duration> maxAge,
        @Nullable Configured<Duration> connectTimeout,
        @Nullable Configured<Duration> responseTimeout,
        @Nullable Configured<Duration> validateAfter,
        @Nullable Configured<Integer> maxAnswer) {
    /** All values automatic. */
    static final PoolConfig AUTOMATIC = new PoolConfig(null, null, null, null, null, null, null, null, null);
}
