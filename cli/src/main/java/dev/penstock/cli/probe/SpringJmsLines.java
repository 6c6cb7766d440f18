package dev.penstock.cli.probe;

import dev.penstock.lab.probe.ProbeFindings;
import java.time.Duration;
import java.util.List;

/** The findings as properties of a Spring Boot application with spring-jms. Stateless. */
public final class SpringJmsLines {
    private static final long DEFAULT_HEARTBEAT = 60_000;

    private SpringJmsLines() {}

    /** The properties, each with its reason as a comment. */
    public static List<String> of(ProbeFindings findings) {
        PoolFacts facts = new PoolFacts(findings);
        CommentedProperties lines = new CommentedProperties("");
        facts.size()
                .ifPresentOrElse(
                        size -> lines.set("spring.jms.cache.session-cache-size", size, facts.whySize())
                                .set(
                                        "spring.jms.listener.max-concurrency",
                                        size,
                                        "as many listeners as useful sessions"),
                        () -> lines.comment(facts.whySize()));
        Duration kill = facts.kill();
        String broker = findings.where().substring("jms:".length());
        boolean artemis = !broker.startsWith("amqp") && !broker.startsWith("failover");
        String key = artemis ? "spring.artemis.broker-url" : "amqphub.amqp10jms.remote-url";
        if (kill == null || kill.toMillis() > DEFAULT_HEARTBEAT) {
            lines.set(key, broker, facts.whyKill() + ": the heartbeat of the client, every 30 s, is sufficient");
        } else if (artemis) {
            long check = PoolFacts.part(kill, 0.4);
            lines.set(
                    key,
                    broker + "?connectionTTL=" + PoolFacts.part(kill, 0.8) + "&clientFailureCheckPeriod=" + check,
                    facts.whyKill() + ": the client pings every clientFailureCheckPeriod, and the broker waits"
                            + " connectionTTL for it, ms");
        } else {
            lines.set(
                    key,
                    broker + "?amqp.idleTimeout=" + PoolFacts.part(kill, 0.8),
                    facts.whyKill() + ": the broker sends a frame every half of amqp.idleTimeout, ms");
        }
        lines.set(
                "spring.jms.template.receive-timeout",
                facts.answerTimeout().toSeconds() + "s",
                "default unlimited: a receive on a silently dropped connection would never return");
        return lines.lines();
    }
}
