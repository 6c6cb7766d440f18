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
    private static final int MAX_CONNECTIONS = 100_000;
    private static final int MAX_TOTAL = 1_000_000;

    private static final Keys POOL = Keys.of(
            "pool",
            "max (size max_connections), wait (connection_request_timeout acquire_timeout), "
                    + "idle (idle_timeout keep_alive), sweep (evict), max_age (max_lifetime time_to_live), "
                    + "connect_timeout, response_timeout (timeout read_timeout socket_timeout), "
                    + "validate_after (stale_check), max_answer (max_body)");
    private static final Keys TOTAL = Keys.of("the pool of all flows", "max (total)");

    /** All values automatic. */
    public static final PoolConfig AUTOMATIC = new PoolConfig(null, null, null, null, null, null, null, null, null);

    public static PoolConfig read(@Nullable ConfigValue value) {
        ConfigMapping pool = value == null ? null : value.mapping(POOL, "pool: { connect_timeout: 2s }");
        if (pool == null) {
            return PoolConfig.AUTOMATIC;
        }
        return new PoolConfig(
                pool.unlessAuto("max", max -> max.integer(1, MAX_CONNECTIONS, "or auto")),
                pool.ifGiven("wait", wait -> wait.duration("1ms", "1h")),
                pool.unlessAuto("idle", idle -> idle.duration("1ms", "1h")),
                pool.unlessAuto("sweep", sweep -> sweep.duration("1ms", "1h")),
                pool.ifGiven("max_age", age -> age.duration("1ms", "1h")),
                pool.unlessAuto("connect_timeout", time -> time.duration("1ms", "1h")),
                pool.unlessAuto("response_timeout", time -> time.duration("1ms", "1h")),
                pool.ifGiven("validate_after", time -> time.duration("0s", "1h")),
                pool.ifGiven("max_answer", PoolConfig::bytes));
    }

    private static @Nullable Integer bytes(ConfigValue value) {
        Long bytes = value.size("1B", "1GB");
        return bytes == null ? null : Math.toIntExact(bytes);
    }

    /** The maximum number of connections of all flows together, or null for no bound. */
    public static @Nullable Configured<Integer> total(@Nullable ConfigValue value) {
        ConfigMapping pool = value == null ? null : value.mapping(TOTAL, "pool: { max: 2000 }");
        return pool == null || pool.required("max", "max: 2000") == null
                ? null
                : pool.ifGiven("max", max -> max.integer(1, MAX_TOTAL));
    }
}
