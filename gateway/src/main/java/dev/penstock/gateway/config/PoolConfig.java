package dev.penstock.gateway.config;

import dev.penstock.http.HttpTargetBuilder;
import dev.penstock.jdbc.guard.GuardedDataSourceBuilder;
import dev.penstock.text.Durations;
import dev.penstock.text.Sizes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The connection pool of a target: the keys of {@code pool}. Null means absent or {@code auto}. */
public record PoolConfig(
        @Nullable Configured<Integer> max,
        @Nullable Configured<Duration> waiting,
        @Nullable Configured<Duration> idle,
        @Nullable Configured<Duration> maxAge,
        @Nullable Configured<Duration> connectTimeout,
        @Nullable Configured<Duration> responseTimeout,
        @Nullable Configured<Integer> maxAnswer) {
    private static final KeyType<Duration> TIME = KeyType.duration("1ms", "1h");
    private static final String FOR_A_DATABASE = " for a database";
    private static final Schema POOL = Schema.of("pool", "pool: { connect_timeout: 2s }")
            .removed("sweep", "idle connections are closed when they are due; remove it")
            .removed("validate_after", "connections are validated before every use; remove it");
    private static final Key<Integer> MAX = POOL.key(
                    "max", KeyType.integer(1, 100_000, "or auto"), "the maximum number of connections of the flow")
            .auto("as many as its calls need")
            .pinnable("with one server, over HTTP/1.1")
            .alias("size max_connections");
    private static final Key<Duration> WAIT = POOL.key("wait", TIME, "how long a call waits for a connection")
            .without(either(HttpTargetBuilder.DEFAULT_POOL_WAIT, GuardedDataSourceBuilder.DEFAULT_BORROW_TIMEOUT))
            .alias("connection_request_timeout acquire_timeout");
    private static final Key<Duration> IDLE = POOL.key(
                    "idle",
                    TIME,
                    "the idle time after which a connection is closed; for a database, after which the network drops it, so it is kept alive at half of it")
            .auto(Durations.write(HttpTargetBuilder.DEFAULT_IDLE)
                    + ", less once idle connections were seen to end sooner")
            .alias("idle_timeout keep_alive");
    private static final Key<Duration> MAX_AGE = POOL.key(
                    "max_age", TIME, "the age beyond which a connection is not used again")
            .without("none; " + Durations.write(GuardedDataSourceBuilder.DEFAULT_MAX_AGE) + FOR_A_DATABASE)
            .alias("max_lifetime time_to_live");
    private static final Key<Duration> CONNECT_TIMEOUT = POOL.key(
                    "connect_timeout", TIME, "how long opening a connection may take, from name lookup to TLS")
            .auto(either(HttpTargetBuilder.DEFAULT_CONNECT_TIMEOUT, GuardedDataSourceBuilder.DEFAULT_CONNECT_TIMEOUT));
    private static final Key<Duration> RESPONSE_TIMEOUT = POOL.key(
                    "response_timeout", TIME, "how long an answer may take, if the deadline is not earlier")
            .auto("three times the longest answer of the last minutes, 5s to 1m")
            .alias("timeout read_timeout socket_timeout");
    private static final Key<Integer> MAX_ANSWER = POOL.key(
                    "max_answer", KeyType.size("1B", "1GB").to(Math::toIntExact), "the largest body of an answer")
            .without(Sizes.format(HttpTargetBuilder.DEFAULT_MAX_ANSWER))
            .alias("max_body");

    private static final Schema TOTAL = Schema.of("the pool of all flows", "pool: { max: 2000 }");
    /** The key {@code pool.max} of the file. */
    public static final Key<Integer> TOTAL_MAX = TOTAL.key(
                    "max", KeyType.integer(1, 1_000_000), "the maximum number of connections of all flows together")
            .required("max: 2000")
            .alias("total");

    /** The key {@code pool} of a flow. */
    public static final Key<PoolConfig> KEY = Key.of(
                    "pool", KeyType.keys(POOL, PoolConfig::read), "the connections of the flow to its target")
            .without("all automatic")
            .alias("connections");

    /** The key {@code pool} of the file. */
    public static final Key<Configured<Integer>> TOTAL_KEY = Key.of(
                    "pool", KeyType.keys(TOTAL, PoolConfig::total), "the connections of all flows together")
            .without("no common limit")
            .alias("connections");

    /** All values automatic. */
    public static final PoolConfig AUTOMATIC = new PoolConfig(null, null, null, null, null, null, null);

    /** The defaults of an HTTP target and of a database. */
    private static String either(Duration http, Duration database) {
        return Durations.write(http) + "; " + Durations.write(database) + FOR_A_DATABASE;
    }

    private static PoolConfig read(ConfigMapping pool) {
        return new PoolConfig(
                pool.find(MAX),
                pool.find(WAIT),
                pool.find(IDLE),
                pool.find(MAX_AGE),
                pool.find(CONNECT_TIMEOUT),
                pool.find(RESPONSE_TIMEOUT),
                pool.find(MAX_ANSWER));
    }

    private static @Nullable Configured<Integer> total(ConfigMapping pool) {
        return pool.find(TOTAL_MAX);
    }
}
