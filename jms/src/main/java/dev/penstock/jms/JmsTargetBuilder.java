package dev.penstock.jms;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.jms.MessageSender.DuplicateId;
import dev.penstock.text.Ranges;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a {@link JmsTarget}. Not thread-safe. */
public final class JmsTargetBuilder {
    /** The default maximum number of sessions. */
    public static final int SESSIONS = 64;

    /** The maximum duration of a call without a deadline. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final JmsBroker broker;
    private @Nullable JmsDestination to;
    private @Nullable String key;
    private int sessions = SESSIONS;

    JmsTargetBuilder(JmsBroker broker) {
        this.broker = broker;
    }

    /**
     * The queue to send to.
     *
     * @throws IllegalArgumentException when the name is blank
     */
    public JmsTargetBuilder queue(String name) {
        to = new JmsDestination(Ranges.named("a queue or topic", name), false);
        return this;
    }

    /**
     * The topic to publish to, instead of a queue.
     *
     * @throws IllegalArgumentException when the name is blank
     */
    public JmsTargetBuilder topic(String name) {
        to = new JmsDestination(Ranges.named("a queue or topic", name), true);
        return this;
    }

    /**
     * The property by which a broker that supports it detects duplicates. A message without it is sent too, but must
     * not be retried. Default: none.
     *
     * @param property its name
     */
    public JmsTargetBuilder key(String property) {
        key = property;
        return this;
    }

    /**
     * The maximum number of sessions; each sends one message at a time. Default: {@value #SESSIONS}.
     *
     * @param max 1 to 10,000
     * @throws IllegalArgumentException when out of range
     */
    public JmsTargetBuilder sessions(int max) {
        sessions = Ranges.within("sessions", max, 1, 10_000);
        return this;
    }

    /**
     * Builds the target. Opens no connection.
     *
     * @throws IllegalStateException when there is neither a queue nor a topic
     */
    public JmsTarget build() {
        JmsDestination destination = to;
        if (destination == null) {
            throw new IllegalStateException("no destination: call queue(...) or topic(...)");
        }
        MessageSender sender = new MessageSender(destination, new DuplicateId(key, broker.kind()));
        BrokerConnection brokerConnection = new BrokerConnection(broker, BrokerConnection.Use.EACH);
        return new JmsTarget(
                sender,
                new SenderSessions(brokerConnection, false, sessions, TIMEOUT.toNanos()),
                settings(destination));
    }

    private List<Setting> settings(JmsDestination destination) {
        String kind = destination.isTopic() ? "topic" : "queue";
        return List.of(
                setting(kind, destination.name(), "a " + kind, "messages are sent to this " + kind, true),
                setting(
                        "key",
                        key == null ? "none" : key,
                        "a property",
                        "the broker detects duplicates by this property, if it supports that",
                        key != null),
                setting(
                        "sessions",
                        Integer.toString(sessions),
                        "1..10000",
                        "maximum number of concurrent sends; sessions are opened on demand",
                        sessions != SESSIONS));
    }

    private static Setting setting(String name, String value, String range, String reason, boolean pinned) {
        return new Setting(name, value, range, reason, Instant.now(), pinned ? Origin.PINNED : Origin.DEFAULT);
    }
}
