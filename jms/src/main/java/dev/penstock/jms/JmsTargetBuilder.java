package dev.penstock.jms;

import dev.penstock.Durations;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a {@link JmsTarget}. Not safe for many threads. */
public final class JmsTargetBuilder {
    /** How many sessions there are at most, by default. */
    public static final int SESSIONS = 64;

    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int PRIORITY = 4;

    private final JmsBroker broker;
    private @Nullable String queue;
    private @Nullable String key;
    private boolean persistent = true;
    private Duration timeToLive = Duration.ZERO;
    private int priority = PRIORITY;
    private int sessions = SESSIONS;
    private Duration timeout = LONGEST;

    JmsTargetBuilder(JmsBroker broker) {
        this.broker = broker;
    }

    /**
     * The queue to send to.
     *
     * @throws IllegalArgumentException when it is empty
     */
    public JmsTargetBuilder queue(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a queue has a name that is not empty");
        }
        queue = name;
        return this;
    }

    /**
     * The property by which a broker that can knows a message that it has already. A message without it is sent all the
     * same, and is not to be repeated. Default: none.
     *
     * @param property its name
     */
    public JmsTargetBuilder key(String property) {
        key = property;
        return this;
    }

    /** Whether messages outlive the broker's process; if not, they are sent faster. Default: they do. */
    public JmsTargetBuilder persistent(boolean kept) {
        persistent = kept;
        return this;
    }

    /**
     * How long the broker keeps a message that nobody receives. Default, and 0: for ever.
     *
     * @throws IllegalArgumentException when negative
     */
    public JmsTargetBuilder timeToLive(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("a time to live is 0 or more, not " + Durations.words(time));
        }
        timeToLive = time;
        return this;
    }

    /**
     * How urgent messages are. Default: 4.
     *
     * @param level 0 to 9; 9 is the most urgent
     * @throws IllegalArgumentException when out of range
     */
    public JmsTargetBuilder priority(int level) {
        if (level < 0 || level > 9) {
            throw new IllegalArgumentException("a priority is 0 to 9, not " + level);
        }
        priority = level;
        return this;
    }

    /**
     * How many sessions there are at most: each carries one message at a time. Default: {@value #SESSIONS}.
     *
     * @param most 1 to 10,000
     * @throws IllegalArgumentException when out of range
     */
    public JmsTargetBuilder sessions(int most) {
        if (most < 1 || most > 10_000) {
            throw new IllegalArgumentException("sessions are 1 to 10,000, not " + most);
        }
        sessions = most;
        return this;
    }

    /**
     * How long a call may take, where no deadline is nearer. Default: 30 s.
     *
     * @throws IllegalArgumentException when not above 0
     */
    public JmsTargetBuilder timeout(Duration most) {
        if (most.isZero() || most.isNegative()) {
            throw new IllegalArgumentException("a time has to be above 0, not " + Durations.words(most));
        }
        timeout = most;
        return this;
    }

    /**
     * The target. Opens no connection.
     *
     * @throws IllegalStateException when there is no queue
     */
    public JmsTarget build() {
        String name = queue;
        if (name == null) {
            throw new IllegalStateException("a target needs a queue: call queue(...)");
        }
        MessageSender sender =
                new MessageSender(name, persistent, timeToLive.toMillis(), priority, new DuplicateId(key, broker.kind()));
        BrokerConnection brokerConnection = new BrokerConnection(broker, BrokerConnection.Use.EACH);
        return new JmsTarget(sender, new SenderSessions(brokerConnection, false, sessions, Durations.nanos(timeout)), settings(name));
    }

    private List<Setting> settings(String name) {
        return List.of(
                setting("queue", name, "a queue", "where messages are sent", true),
                setting(
                        "key",
                        key == null ? "none" : key,
                        "a property",
                        "by it the broker knows a message that it has already, if it can",
                        key != null),
                setting(
                        "persistent",
                        Boolean.toString(persistent),
                        "true, false",
                        "whether messages outlive the broker's process",
                        !persistent),
                setting(
                        "time_to_live",
                        timeToLive.isZero() ? "for ever" : Durations.words(timeToLive),
                        "0 or more",
                        "how long a message is kept that nobody receives",
                        !timeToLive.isZero()),
                setting(
                        "priority",
                        Integer.toString(priority),
                        "0..9",
                        "how urgent messages are",
                        priority != PRIORITY),
                setting(
                        "sessions",
                        Integer.toString(sessions),
                        "1..10000",
                        "how many messages may be on their way at once; opened on demand",
                        sessions != SESSIONS),
                setting(
                        "timeout",
                        Durations.words(timeout),
                        "above 0",
                        "how long a call may take where no deadline is nearer",
                        !timeout.equals(LONGEST)));
    }

    private static Setting setting(String name, String value, String range, String reason, boolean given) {
        return new Setting(name, value, range, reason, Instant.now(), given ? Origin.PINNED : Origin.DEFAULT);
    }
}
