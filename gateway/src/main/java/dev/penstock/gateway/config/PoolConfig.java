package dev.penstock.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a target. Null stands for automatic.
 *
 * @param max how many at most
 * @param idle how long one may be idle before it is closed
 * @param connectTimeout how long opening one may take
 * @param responseTimeout how long an answer may take, where the deadline does not end it sooner
 */
public record PoolConfig(
        @Nullable Chosen<Integer> max,
        @Nullable Chosen<Duration> idle,
        @Nullable Chosen<Duration> connectTimeout,
        @Nullable Chosen<Duration> responseTimeout) {
    /** Everything automatic. */
    static final PoolConfig AUTOMATIC = new PoolConfig(null, null, null, null);
}
