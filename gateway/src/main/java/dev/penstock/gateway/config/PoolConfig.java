package dev.penstock.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a target. Null stands for what the file leaves out, or leaves to Penstock with {@code auto}.
 *
 * @param max how many at most
 * @param waiting how long a call waits for one
 * @param idle how long one may be idle before it is closed
 * @param sweep how often idle ones are looked over
 * @param maxAge how old one may become and still be used again
 * @param connectTimeout how long opening one may take
 * @param responseTimeout how long an answer may take, where the deadline does not end it sooner
 * @param validateAfter how long one may be idle and still be used without a look
 * @param maxAnswer how many bytes the body of an answer may have
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
    /** Nothing given. */
    static final PoolConfig AUTOMATIC = new PoolConfig(null, null, null, null, null, null, null, null, null);
}
