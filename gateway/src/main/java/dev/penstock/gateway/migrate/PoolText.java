package dev.penstock.gateway.migrate;

import static dev.penstock.gateway.migrate.YamlText.time;

import java.time.Duration;

/** Writes what the SDK says of connections. */
final class PoolText {
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int MOST = 100_000;
    private static final int MOST_IN_ALL = 1_000_000;
    private static final String PINNED = "; pinned by the old file, auto would ";
    private static final String MEASURED = PINNED + "measure it";

    private PoolText() {}

    static void write(SdkSettings sdk, YamlText yaml) {
        yaml.line(2, "pool:");
        SdkSettings.Pool pool = sdk.pool();
        if (pool == null) {
            yaml.comment(
                    3,
                    "max, idle and sweep stay automatic: the SDK kept no pool of its own, for"
                            + " useHttpClientWithConnectionPool is not true.");
        } else {
            connections(pool, yaml);
        }
        line("connect_timeout", sdk.connect(), "; here with the look-up of the name and with TLS", yaml);
        line("response_timeout", sdk.response(), ", between two bytes; here for the whole answer" + MEASURED, yaml);
        yaml.line(3, "# max_age: 30m", "no bound, as in the SDK");
    }

    private static void connections(SdkSettings.Pool pool, YamlText yaml) {
        int most = Math.min(pool.mostPerRoute().value(), pool.most().value());
        String bound = pool.mostPerRoute().value() > pool.most().value() ? ", bounded by maxConnections" : "";
        yaml.line(
                3, "max: " + Math.min(most, MOST), pool.mostPerRoute().from() + bound + capped(most, MOST) + MEASURED);
        line("wait", pool.waiting(), "", yaml);
        line("idle", pool.idle(), PINNED + "learn when the gateway closes", yaml);
        line("sweep", pool.sweep(), PINNED + "close each one when it is due", yaml);
        Duration look = pool.look();
        if (look == null) {
            yaml.line(
                    3,
                    "# validate_after: 0",
                    pool.lookFrom() + ": the SDK never looks; Penstock looks before every use");
        } else if (look.isZero()) {
            yaml.line(3, "validate_after: 0", pool.lookFrom() + ": a look before every use");
        } else {
            line("validate_after", new OldValue<>(look, pool.lookFrom()), "", yaml);
        }
    }

    private static void line(String key, OldValue<Duration> time, String more, YamlText yaml) {
        String most = time.value().isZero()
                ? "; 0 is for ever, and 1h the most here"
                : time.value().compareTo(LONGEST) > 0 ? "; 1h is the most" : "";
        yaml.line(3, key + ": " + time(within(time.value())), time.from() + most + more);
    }

    /** The bound of all flows together. */
    static void total(SdkSettings sdk, YamlText yaml) {
        SdkSettings.Pool pool = sdk.pool();
        if (pool != null) {
            int most = pool.most().value();
            yaml.line(0, "pool:");
            yaml.line(
                    1,
                    "max: " + Math.min(most, MOST_IN_ALL),
                    pool.most().from() + capped(most, MOST_IN_ALL) + "; of all flows together");
        }
    }

    private static String capped(int connections, int most) {
        return connections > most ? "; " + most + " are the most" : "";
    }

    /** A time that a pool takes: where the SDK waits for ever, the longest there is. */
    static Duration within(Duration time) {
        return time.isZero() || time.compareTo(LONGEST) > 0 ? LONGEST : time;
    }
}
