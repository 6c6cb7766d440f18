package dev.penstock.cli.probe;

import dev.penstock.Durations;
import dev.penstock.lab.probe.ProbeFindings;
import java.time.Duration;
import java.util.List;

/**
 * The findings as {@code c3p0.properties}. Pure. It counts in whole seconds; by default it lends connections without a look and
 * waits for the end of a look without a bound.
 */
public final class C3p0Lines {
    private static final int USUAL_SIZE = 15;
    private static final long TO_CONNECT = 5_000;
    private static final Duration TOO_SHORT = Duration.ofSeconds(2);

    private C3p0Lines() {}

    /** Properties, each with a comment why. */
    public static List<String> of(ProbeFindings findings) {
        PoolFacts facts = new PoolFacts(findings);
        CommentedProperties lines = new CommentedProperties("c3p0.");
        int size = facts.size().orElse(USUAL_SIZE);
        lines.set("maxPoolSize", size, facts.whySize());
        Duration kill = facts.kill();
        if (kill == null) {
            lines.say(facts.whyKill()
                    + ": idleConnectionTestPeriod and maxIdleTime stay at their defaults, which is off");
        } else {
            alive(lines, facts, kill);
        }
        long look = Math.max(1, Math.ceilDiv(2 * facts.slowest().toMillis(), 1000));
        lines.set("testConnectionOnCheckout", true, "a caller is never lent a connection that nobody looked at");
        lines.set(
                "connectionIsValidTimeout",
                look,
                "seconds, by default without a bound: a look at a connection that died silently ends then; the slowest"
                        + " answer took " + Durations.words(facts.slowest()));
        lines.set(
                "checkoutTimeout",
                size * look * 1000 + TO_CONNECT,
                "ms, by default without a bound: a caller may meet all " + size
                        + " of them dead, one after another, and then needs time to connect");
        return lines.lines();
    }

    private static void alive(CommentedProperties lines, PoolFacts facts, Duration kill) {
        long period = PoolFacts.wholeSeconds(kill, 0.5);
        boolean inTime = kill.compareTo(TOO_SHORT) >= 0;
        lines.set("minPoolSize", 0, "none is kept that nobody needs");
        lines.set("initialPoolSize", 0, "as few as minPoolSize");
        lines.set(
                "idleConnectionTestPeriod",
                period,
                facts.whyKill()
                        + (inTime
                                ? ": each is tested before half of that, seconds"
                                : ": c3p0 counts in whole seconds, so some may die before their test"));
        lines.set(
                "maxIdleTime", PoolFacts.wholeSeconds(kill, 0.8), "seconds; what nobody uses goes before it is killed");
        lines.set(
                "numHelperThreads",
                Math.clamp(facts.size().orElse(USUAL_SIZE) / 2, 3, 10),
                "tests and connects of many at once do not wait for each other");
    }
}
