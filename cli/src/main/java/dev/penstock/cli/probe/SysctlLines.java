package dev.penstock.cli.probe;

import dev.penstock.lab.probe.ProbeFindings;
import java.time.Duration;
import java.util.List;

/** The findings as a file for /etc/sysctl.d. Stateless. */
public final class SysctlLines {
    private static final long MAX_INTERVAL = 75;
    private static final int PROBES = 3;
    private static final int RETRIES = 8;

    private SysctlLines() {}

    /** The lines of the file, each setting with its reason as a comment. */
    public static List<String> of(ProbeFindings findings) {
        PoolFacts facts = new PoolFacts(findings);
        CommentedProperties lines = new CommentedProperties("net.ipv4.");
        Duration kill = facts.kill();
        if (kill == null) {
            return lines.comment(facts.whyKill() + ": nothing to set").lines();
        }
        lines.set(
                "tcp_keepalive_time",
                PoolFacts.wholeSeconds(kill, 0.5),
                facts.whyKill() + ": the kernel sends a probe within half of that time, seconds");
        lines.set(
                "tcp_keepalive_intvl",
                Math.min(MAX_INTERVAL, PoolFacts.wholeSeconds(kill, 0.1)),
                "seconds between unanswered probes");
        lines.set("tcp_keepalive_probes", PROBES, "after this many unanswered probes the connection counts as dead");
        if (facts.silent()) {
            lines.set(
                    "tcp_retries2",
                    RETRIES,
                    "sending on a silently dropped connection fails after about 100 s, not 15 min");
        }
        return lines.comment(
                        "only applies to sockets with keep-alive enabled (PostgreSQL driver: tcpKeepAlive=true), and a proxy that"
                                + " terminates connections may not count it as traffic")
                .lines();
    }
}
