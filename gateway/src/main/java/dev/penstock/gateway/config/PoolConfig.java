package dev.penstock.gateway.config;

import java.time.Duration;
import java.util.Map;
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
                    "max",
                    "wait",
                    "idle",
                    "sweep",
                    "max_age",
                    "connect_timeout",
                    "response_timeout",
                    "validate_after",
                    "max_answer")
            .aliases(Map.ofEntries(
                    Map.entry("size", "max"),
                    Map.entry("max_connections", "max"),
                    Map.entry("timeout", "response_timeout"),
                    Map.entry("read_timeout", "response_timeout"),
                    Map.entry("socket_timeout", "response_timeout"),
                    Map.entry("connection_request_timeout", "wait"),
                    Map.entry("acquire_timeout", "wait"),
                    Map.entry("idle_timeout", "idle"),
                    Map.entry("keep_alive", "idle"),
                    Map.entry("evict", "sweep"),
                    Map.entry("max_lifetime", "max_age"),
                    Map.entry("time_to_live", "max_age"),
                    Map.entry("stale_check", "validate_after"),
                    Map.entry("max_body", "max_answer")));
    private static final Keys TOTAL = Keys.of("the pool of all flows", "max").aliases(Map.of("total", "max"));
    private static final DurationRange TIME = new DurationRange("1ms", "1h");
    private static final DurationRange FROM_ZERO = new DurationRange("0s", "1h");

    /** All values automatic. */
    static final PoolConfig AUTOMATIC = new PoolConfig(null, null, null, null, null, null, null, null, null);

    static PoolConfig read(@Nullable ConfigValue value) {
        ConfigMapping pool = value == null ? null : value.mapping(POOL, "pool: { connect_timeout: 2s }");
        if (pool == null) {
            return PoolConfig.AUTOMATIC;
        }
        return new PoolConfig(
                pool.unlessAuto("max", max -> max.integer(1, MAX_CONNECTIONS, "or auto")),
                pool.ifGiven("wait", wait -> wait.duration(TIME)),
                pool.unlessAuto("idle", idle -> idle.duration(TIME)),
                pool.unlessAuto("sweep", sweep -> sweep.duration(TIME)),
                pool.ifGiven("max_age", age -> age.duration(TIME)),
                pool.unlessAuto("connect_timeout", time -> time.duration(TIME)),
                pool.unlessAuto("response_timeout", time -> time.duration(TIME)),
                pool.ifGiven("validate_after", time -> time.duration(FROM_ZERO)),
                pool.ifGiven("max_answer", PoolConfig::bytes));
    }

    private static @Nullable Integer bytes(ConfigValue value) {
        Long bytes = value.size("1B", "1GB");
        return bytes == null ? null : Math.toIntExact(bytes);
    }

    /** The maximum number of connections of all flows together, or null for no bound. */
    static @Nullable Configured<Integer> total(@Nullable ConfigValue value) {
        ConfigMapping pool = value == null ? null : value.mapping(TOTAL, "pool: { max: 2000 }");
        return pool == null || pool.required("max", "max: 2000") == null
                ? null
                : pool.ifGiven("max", max -> max.integer(1, MAX_TOTAL));
    }
}
