package dev.penstock.cli.probe;

import dev.penstock.lab.probe.ProbeFindings;
import java.time.Duration;
import java.util.List;

/** The findings as a file for /etc/sysctl.d. Pure. */
public final class SysctlLines {
    private static final long MOST_INTERVAL = 75;
    private static final int PROBES = 3;
    private static final int RETRIES = 8;

    private SysctlLines() {}

    /** Lines of a file, each setting with a comment why. */
    public static List<String> of(ProbeFindings findings) {
        PoolFacts facts = new PoolFacts(findings);
        CommentedProperties lines = new CommentedProperties("net.ipv4.");
        Duration kill = facts.kill();
        if (kill == null) {
            return lines.say(facts.whyKill() + ": there is nothing to set").lines();
        }
        lines.set(
                "tcp_keepalive_time",
                PoolFacts.wholeSeconds(kill, 0.5),
                facts.whyKill() + ": the system sends something before half of that, seconds");
        lines.set(
                "tcp_keepalive_intvl",
                Math.min(MOST_INTERVAL, PoolFacts.wholeSeconds(kill, 0.1)),
                "seconds between questions that got no answer");
        lines.set("tcp_keepalive_probes", PROBES, "after so many the connection counts as dead");
        if (facts.silent()) {
            lines.set(
                    "tcp_retries2",
                    RETRIES,
                    "what is sent into a connection that died silently fails after about 100 s, not 15 min");
        }
        return lines.say(
                        "only sockets with keep-alive on take part (PostgreSQL's driver: tcpKeepAlive=true), and a proxy that"
                                + " takes connections itself may not count it as traffic")
                .lines();
    }
}
