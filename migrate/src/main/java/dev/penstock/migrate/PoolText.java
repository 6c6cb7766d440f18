package dev.penstock.migrate;

import static dev.penstock.migrate.YamlText.time;

import java.time.Duration;

/** Writes the connection settings of the SDK. */
final class PoolText {
    private static final Duration MAX_TIME = Duration.ofHours(1);
    private static final int MAX_CONNECTIONS = 100_000;
    private static final int MAX_TOTAL = 1_000_000;
    private static final String PINNED = "; pinned to the old value, auto would ";
    private static final String MEASURED = PINNED + "measure it";

    private PoolText() {}

    static void write(SdkSettings sdk, YamlText yaml) {
        yaml.line(2, "pool:");
        SdkSettings.Pool pool = sdk.pool();
        if (pool == null) {
            yaml.comment(
                    3,
                    "max, idle and sweep are automatic: the SDK had no pool, because useHttpClientWithConnectionPool is not"
                            + " true.");
        } else {
            connections(pool, yaml);
        }
        line("connect_timeout", sdk.connect(), "; here including DNS lookup and TLS handshake", yaml);
        line(
                "response_timeout",
                sdk.response(),
                ", between two bytes there; here for the whole answer" + MEASURED,
                yaml);
        yaml.line(3, "# max_age: 30m", "no limit, as in the SDK");
    }

    private static void connections(SdkSettings.Pool pool, YamlText yaml) {
        int max = Math.min(pool.maxPerRoute().value(), pool.max().value());
        String bound = pool.maxPerRoute().value() > pool.max().value() ? ", limited by maxConnections" : "";
        yaml.line(
                3,
                "max: " + Math.min(max, MAX_CONNECTIONS),
                pool.maxPerRoute().from() + bound + capped(max, MAX_CONNECTIONS) + MEASURED);
        line("wait", pool.waiting(), "", yaml);
        line("idle", pool.idle(), PINNED + "learn when the gateway closes idle connections", yaml);
        line("sweep", pool.sweep(), PINNED + "close each connection when it is due", yaml);
        Duration validateAfter = pool.validateAfter();
        if (validateAfter == null) {
            yaml.line(
                    3,
                    "# validate_after: 0",
                    pool.validateAfterFrom() + ": the SDK never validates; Penstock validates before every use");
        } else if (validateAfter.isZero()) {
            yaml.line(3, "validate_after: 0", pool.validateAfterFrom() + ": validated before every use");
        } else {
            line("validate_after", new OldValue<>(validateAfter, pool.validateAfterFrom()), "", yaml);
        }
    }

    private static void line(String key, OldValue<Duration> time, String more, YamlText yaml) {
        String max = time.value().isZero()
                ? "; 0 means no limit, the maximum here is 1h"
                : time.value().compareTo(MAX_TIME) > 0 ? "; the maximum is 1h" : "";
        yaml.line(3, key + ": " + time(within(time.value())), time.from() + max + more);
    }

    /** Writes the total for all flows. */
    static void total(SdkSettings sdk, YamlText yaml) {
        SdkSettings.Pool pool = sdk.pool();
        if (pool != null) {
            int max = pool.max().value();
            yaml.line(0, "pool:");
            yaml.line(
                    1,
                    "max: " + Math.min(max, MAX_TOTAL),
                    pool.max().from() + capped(max, MAX_TOTAL) + "; for all flows together");
        }
    }

    private static String capped(int max, int allowed) {
        return max > allowed ? "; the maximum is " + allowed : "";
    }

    /** Limits a time to the allowed maximum, which also replaces 0 (no limit in the SDK). */
    static Duration within(Duration time) {
        return time.isZero() || time.compareTo(MAX_TIME) > 0 ? MAX_TIME : time;
    }
}
