package dev.penstock.cli.probe;

import dev.penstock.lab.probe.ProbeFindings;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.List;

/**
 * The findings as the properties of a HikariCP pool, for {@code new HikariConfig(properties)}. Stateless.
 *
 * <h2>Design note</h2>
 *
 * <p>HikariCP validates a connection before use, unless it was used in the last 500 ms. That protects callers from dead
 * connections, but each dead one costs the validation timeout, and a caller may find several in a row. Keepalive
 * prevents idle kills, but its minimum is 30 s. For a kill time between that and a minute a short lifetime helps;
 * below, only validation does.
 */
public final class HikariLines {
    private static final long MIN_KEEPALIVE = 30_000;
    private static final long MIN_LIFETIME = 30_000;
    private static final long MIN_IDLE = 10_000;
    private static final long MIN_VALIDATION = 250;
    private static final long MAX_KEEPALIVE = 600_000;
    private static final long CONNECT_MILLIS = 5_000;
    private static final long BYPASS = 500;
    private static final int DEFAULT_SIZE = 10;

    private HikariLines() {}

    /** The properties, each with its reason as a comment. */
    public static List<String> of(ProbeFindings findings) {
        PoolFacts facts = new PoolFacts(findings);
        CommentedProperties lines = new CommentedProperties("");
        int size = facts.sizeOr(DEFAULT_SIZE);
        facts.setSize(lines, "maximumPoolSize", DEFAULT_SIZE);
        Duration kill = facts.kill();
        if (kill == null) {
            lines.comment(facts.whyKill() + ": keepaliveTime, maxLifetime and idleTimeout stay at their defaults");
        } else {
            alive(lines, facts, kill);
        }
        timeouts(lines, facts, size);
        if (findings.where().startsWith("jdbc:postgresql:")) {
            postgres(lines, facts);
        }
        return lines.lines();
    }

    private static void alive(CommentedProperties lines, PoolFacts facts, Duration kill) {
        long half = PoolFacts.part(kill, 0.5);
        long maxAge = PoolFacts.part(kill, 0.9);
        if (half >= MIN_KEEPALIVE) {
            lines.set(
                    "keepaliveTime",
                    Math.min(half, MAX_KEEPALIVE),
                    facts.whyKill() + ": each is used within half of that time");
            return;
        }
        String tooShort = facts.whyKill() + ", and the minimum of keepaliveTime is 30 s";
        if (maxAge >= MIN_LIFETIME) {
            lines.set("keepaliveTime", 0, tooShort + ": so connections must be younger than that");
            lines.set("maxLifetime", maxAge, "a connection closed at 0.9 of that time is never killed");
            return;
        }
        lines.set("minimumIdle", 0, tooShort + ": so no unneeded connections are kept");
        lines.set("idleTimeout", MIN_IDLE, "the minimum: fewer idle connections are fewer dead ones");
        if (kill.toMillis() <= 2 * BYPASS) {
            lines.comment(
                    "start the JVM with -Dcom.zaxxer.hikari.aliveBypassWindowMs=0: by default a connection used in the last"
                            + " 500 ms is not validated");
        }
    }

    private static void timeouts(CommentedProperties lines, PoolFacts facts, int size) {
        long validation = Math.max(MIN_VALIDATION, 2 * facts.slowest().toMillis());
        lines.set(
                "validationTimeout",
                validation,
                "the validation of a dead connection takes this time; the minimum is 250 ms, the slowest answer took "
                        + Durations.format(facts.slowest()));
        lines.set(
                "connectionTimeout",
                size * validation + CONNECT_MILLIS,
                "a caller may find all " + size
                        + " connections dead, one after another, and then needs time to connect");
    }

    private static void postgres(CommentedProperties lines, PoolFacts facts) {
        lines.set(
                "dataSource.socketTimeout",
                Math.ceilDiv(facts.answerTimeout().toMillis(), 1000),
                "seconds; without it a call on a connection that died in use waits for about 15 min. Must be above your"
                        + " slowest statement");
        lines.set("dataSource.tcpKeepAlive", true, "a dead peer is detected while nothing is sent");
    }
}
