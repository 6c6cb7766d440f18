package dev.penstock.cli.probe;

import dev.penstock.lab.probe.ProbeFindings;
import java.time.Duration;
import java.util.List;

/** The findings as properties of a Spring Boot application that uses spring-jms. Pure. */
public final class SpringJmsLines {
    private static final long USUAL_HEARTBEAT = 60_000;

    private SpringJmsLines() {}

    /** Properties, each with a comment why. */
    public static List<String> of(ProbeFindings findings) {
        PoolFacts facts = new PoolFacts(findings);
        CommentedProperties lines = new CommentedProperties("");
        facts.size()
                .ifPresentOrElse(
                        size -> lines.set("spring.jms.cache.session-cache-size", size, facts.whySize())
                                .set(
                                        "spring.jms.listener.max-concurrency",
                                        size,
                                        "as many listeners as sessions are worth having"),
                        () -> lines.say(facts.whySize()));
        Duration kill = facts.kill();
        String broker = findings.where().substring("jms:".length());
        boolean artemis = !broker.startsWith("amqp") && !broker.startsWith("failover");
        String key = artemis ? "spring.artemis.broker-url" : "amqphub.amqp10jms.remote-url";
        if (kill == null || kill.toMillis() > USUAL_HEARTBEAT) {
            lines.set(key, broker, facts.whyKill() + ": the client's own heartbeat, every 30 s, is enough");
        } else if (artemis) {
            long check = PoolFacts.part(kill, 0.4);
            lines.set(
                    key,
                    broker + "?connectionTTL=" + PoolFacts.part(kill, 0.8) + "&clientFailureCheckPeriod=" + check,
                    facts.whyKill() + ": the client pings each clientFailureCheckPeriod, and the broker waits for"
                            + " connectionTTL for that, ms");
        } else {
            lines.set(
                    key,
                    broker + "?amqp.idleTimeout=" + PoolFacts.part(kill, 0.8),
                    facts.whyKill() + ": the broker sends something every half of amqp.idleTimeout, ms");
        }
        lines.set(
                "spring.jms.template.receive-timeout",
                facts.patience().toSeconds() + "s",
                "by default without a bound: a receive on a connection that died silently would not come back");
        return lines.lines();
    }
}
