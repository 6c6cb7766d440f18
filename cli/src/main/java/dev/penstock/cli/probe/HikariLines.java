package dev.penstock.cli.probe;

import dev.penstock.Durations;
import dev.penstock.lab.probe.ProbeFindings;
import java.time.Duration;
import java.util.List;

/**
 * The findings as the properties of a HikariCP pool, for {@code new HikariConfig(properties)}. Pure.
 *
 * <h2>Design note</h2>
 *
 * <p>HikariCP looks at a connection before it lends it, unless it was used in the last 500 ms. That saves a caller from a dead
 * one, at a price: each costs the validation timeout, and a caller may meet one after another. Keepalive prevents deaths, but
 * its least is 30 s; between that and a minute a short lifetime does; below, looking is all there is.
 */
public final class HikariLines {
    private static final long LEAST_KEEPALIVE = 30_000;
    private static final long LEAST_LIFETIME = 30_000;
    private static final long LEAST_IDLE = 10_000;
    private static final long LEAST_LOOK = 250;
    private static final long MOST_KEEPALIVE = 600_000;
    private static final long TO_CONNECT = 5_000;
    private static final long BYPASS = 500;
    private static final int USUAL_SIZE = 10;

    private HikariLines() {}

    /** Properties, each with a comment why. */
    public static List<String> of(ProbeFindings findings) {
        PoolFacts facts = new PoolFacts(findings);
        CommentedProperties lines = new CommentedProperties("");
        int size = facts.size().orElse(USUAL_SIZE);
        lines.set("maximumPoolSize", size, facts.whySize());
        Duration kill = facts.kill();
        if (kill == null) {
            lines.say(facts.whyKill() + ": keepaliveTime, maxLifetime and idleTimeout stay at their defaults");
        } else {
            alive(lines, facts, kill);
        }
        waits(lines, facts, size);
        if (findings.where().startsWith("jdbc:postgresql:")) {
            postgres(lines, facts);
        }
        return lines.lines();
    }

    private static void alive(CommentedProperties lines, PoolFacts facts, Duration kill) {
        long half = PoolFacts.part(kill, 0.5);
        long most = PoolFacts.part(kill, 0.9);
        if (half >= LEAST_KEEPALIVE) {
            lines.set(
                    "keepaliveTime",
                    Math.min(half, MOST_KEEPALIVE),
                    facts.whyKill() + ": each is used before half of that");
            return;
        }
        String tooShort = facts.whyKill() + ", and keepaliveTime cannot be below 30 s";
        if (most >= LEAST_LIFETIME) {
            lines.set("keepaliveTime", 0, tooShort + ": so no connection may become as old as that");
            lines.set("maxLifetime", most, "a connection that ends itself at 0.9 of the time is never killed");
            return;
        }
        lines.set("minimumIdle", 0, tooShort + ": so none is kept that nobody needs");
        lines.set("idleTimeout", LEAST_IDLE, "the least there is: the fewer idle ones, the fewer dead ones");
        if (kill.toMillis() <= 2 * BYPASS) {
            lines.say(
                    "start the JVM with -Dcom.zaxxer.hikari.aliveBypassWindowMs=0: by default a connection that was used"
                            + " in the last 500 ms is lent without a look");
        }
    }

    private static void waits(CommentedProperties lines, PoolFacts facts, int size) {
        long look = Math.max(LEAST_LOOK, 2 * facts.slowest().toMillis());
        lines.set(
                "validationTimeout",
                look,
                "a look at a dead connection takes that long; the least there is is 250 ms, the slowest answer took "
                        + Durations.words(facts.slowest()));
        lines.set(
                "connectionTimeout",
                size * look + TO_CONNECT,
                "a caller may meet all " + size + " of them dead, one after another, and then needs time to connect");
    }

    private static void postgres(CommentedProperties lines, PoolFacts facts) {
        lines.set(
                "dataSource.socketTimeout",
                Math.ceilDiv(facts.patience().toMillis(), 1000),
                "seconds; without it a call on a connection that died in use waits for about 15 min. Above your slowest"
                        + " statement");
        lines.set("dataSource.tcpKeepAlive", true, "a peer that is gone is found out while nothing is sent");
    }
}
