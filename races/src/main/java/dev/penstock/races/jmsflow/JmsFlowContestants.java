package dev.penstock.races.jmsflow;

import dev.penstock.jms.source.JmsSource;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.jmsflow.MessageWork.HandlerTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The contestants, by name. A library is loaded only when its contestant is created. */
@SuppressWarnings("ImmutableEnumChecker") // entries are copies, factories are stateless
enum JmsFlowContestants {
    /** See {@link Unthrottled}. */
    UNTHROTTLED(
            "unthrottled",
            Role.LIMIT,
            "one listener that acknowledges immediately and starts a virtual thread per message; no limit",
            Unthrottled::new),

    /** The original service's first solution. */
    BOGUS_1MS(
            "bogus-selector-1ms",
            Role.BEFORE,
            "Spring's container, asynchronous handlers, a selector that matches nothing at 500 in flight, receiveTimeout 1 ms",
            (url, handling) -> new BogusSelector(url, handling, Duration.ofMillis(1))),

    /** The original service's second solution. */
    BOGUS_30S(
            "bogus-selector-30s",
            Role.BEFORE,
            "the same, receiveTimeout 30 s",
            (url, handling) -> new BogusSelector(url, handling, Duration.ofSeconds(30))),

    /** The original service's last solution. */
    STOP_START(
            "stop-start",
            Role.AFTER,
            "Spring's container, asynchronous handlers, stopped at 500 in flight, started at 350, acceptMessagesWhileStopping",
            StopStart::new),

    /** See {@link FixedConcurrency}. */
    DMLC_500(
            "dmlc-fixed",
            Role.PEER,
            "Spring's container, concurrency 500 on virtual threads, sessionTransacted, receiveTimeout 1 s",
            (url, handling) -> new FixedConcurrency(url, handling, 500)),

    /** Fewer sessions may be faster when handlers take no time. */
    DMLC_50(
            "dmlc-fixed-50",
            Role.PEER,
            "the same, concurrency 50",
            (url, handling) -> new FixedConcurrency(url, handling, 50)),

    /** The defaults, except for the limit. */
    PENSTOCK(
            "penstock",
            Role.OURS,
            "flow with an adaptive limit of 1 to 500, source at its defaults",
            PenstockSource::automatic),

    /** Its best acknowledgement strategy. */
    INDIVIDUAL(
            "individual",
            Role.OURS,
            "500 in flight, each acknowledged individually by its session's thread",
            (url, handling) -> PenstockSource.by(JmsSource.AckMode.INDIVIDUAL, url, handling)),

    /** The next strategy. */
    BATCHES(
            "batches",
            Role.OURS,
            "500 in flight, received and committed in batches",
            (url, handling) -> PenstockSource.by(JmsSource.AckMode.BATCHES, url, handling)),

    /** The strategy that works with any provider. */
    SESSIONS(
            "sessions",
            Role.OURS,
            "500 transacted sessions",
            (url, handling) -> PenstockSource.by(JmsSource.AckMode.SESSIONS, url, handling));

    /** The maximum number of messages in flight. */
    static final int BOUND = 500;

    private final Entry entry;
    private final Factory factory;

    /** Creates a consumer, which starts immediately. */
    private interface Factory {
        Consumer at(String url, MessageWork handling) throws Exception;
    }

    JmsFlowContestants(String name, Role role, String how, Factory factory) {
        this.entry = Entry.of(name, role, Map.of("how", how));
        this.factory = factory;
    }

    /**
     * The contestant with this name.
     *
     * @throws IllegalArgumentException when there is none
     */
    static JmsFlowContestants named(String name) {
        return Arrays.stream(values())
                .filter(contestant -> contestant.entry.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("jms-flow has no contestant " + name));
    }

    static List<Entry> all() {
        return Arrays.stream(values()).map(JmsFlowContestants::entry).toList();
    }

    /** The contestants of a course: fewer sessions only when handlers take no time. */
    static List<Entry> entries(HandlerTime time) {
        return Arrays.stream(values())
                .filter(contestant -> contestant != DMLC_50 || time.most() == 0)
                .map(JmsFlowContestants::entry)
                .toList();
    }

    Entry entry() {
        return entry;
    }

    /** Creates the consumer, which starts immediately. */
    Consumer at(String url, MessageWork handling) throws Exception {
        return factory.at(url, handling);
    }

    /** A contestant: consumes the queue from its creation until it is closed. */
    interface Consumer extends AutoCloseable {
        /** Stops receiving, and completes the messages in flight. */
        @Override
        void close();
    }
}
