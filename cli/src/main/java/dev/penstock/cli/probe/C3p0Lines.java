package dev.penstock.cli.probe;

import dev.penstock.lab.probe.ProbeFindings;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.List;

/**
 * The findings as {@code c3p0.properties}. Stateless. c3p0 counts in whole seconds; by default it does not validate
 * connections before use, and has no timeout for a validation.
 */
public final class C3p0Lines {
    private static final int DEFAULT_SIZE = 15;
    private static final long CONNECT_MILLIS = 5_000;
    private static final Duration MIN_KILL = Duration.ofSeconds(2);

    private C3p0Lines() {}

    /** The properties, each with its reason as a comment. */
    public static List<String> of(ProbeFindings findings) {
        PoolFacts facts = new PoolFacts(findings);
        CommentedProperties lines = new CommentedProperties("c3p0.");
        int size = facts.sizeOr(DEFAULT_SIZE);
        facts.setSize(lines, "maxPoolSize", DEFAULT_SIZE);
        Duration kill = facts.kill();
        if (kill == null) {
            lines.comment(facts.whyKill() + ": idleConnectionTestPeriod and maxIdleTime stay at their default, off");
        } else {
            alive(lines, facts, kill);
        }
        long timeout = Math.max(1, Math.ceilDiv(2 * facts.slowest().toMillis(), 1000));
        lines.set("testConnectionOnCheckout", true, "every connection is validated before use");
        lines.set(
                "connectionIsValidTimeout",
                timeout,
                "seconds, default unlimited: the validation of a silently dropped connection ends after this time; the"
                        + " slowest answer took " + Durations.format(facts.slowest()));
        lines.set(
                "checkoutTimeout",
                size * timeout * 1000 + CONNECT_MILLIS,
                "ms, default unlimited: a caller may find all " + size
                        + " connections dead, one after another, and then needs time to connect");
        return lines.lines();
    }

    private static void alive(CommentedProperties lines, PoolFacts facts, Duration kill) {
        long period = PoolFacts.wholeSeconds(kill, 0.5);
        boolean inTime = kill.compareTo(MIN_KILL) >= 0;
        lines.set("minPoolSize", 0, "no unneeded connections are kept");
        lines.set("initialPoolSize", 0, "equal to minPoolSize");
        lines.set(
                "idleConnectionTestPeriod",
                period,
                facts.whyKill()
                        + (inTime
                                ? ": each is tested within half of that time, seconds"
                                : ": c3p0 counts in whole seconds, so some may be killed before their test"));
        lines.set(
                "maxIdleTime",
                PoolFacts.wholeSeconds(kill, 0.8),
                "seconds; unused connections are closed before they are killed");
        lines.set(
                "numHelperThreads",
                Math.clamp(facts.sizeOr(DEFAULT_SIZE) / 2, 3, 10),
                "concurrent tests and connects do not wait for each other");
    }
}
