package dev.penstock.races.jmsflow;

import dev.penstock.jms.source.JmsSource;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Who runs, by name. A library is loaded only when its contestant is made. */
@SuppressWarnings("ImmutableEnumChecker") // an entry holds copies, a maker holds nothing
enum JmsFlowContestants {
    /** See {@link Unthrottled}. */
    UNTHROTTLED(
            "unthrottled",
            Role.LIMIT,
            "one listener that acknowledges at once and starts a virtual thread for each message; nothing bounds it",
            Unthrottled::new),

    /** The origin's first way. */
    BOGUS_1MS(
            "bogus-selector-1ms",
            Role.BEFORE,
            "Spring's container, handlers suspended, a selector that matches nothing at 500 in flight, receiveTimeout 1 ms",
            (url, handling) -> new BogusSelector(url, handling, Duration.ofMillis(1))),

    /** The origin's second way. */
    BOGUS_30S(
            "bogus-selector-30s",
            Role.BEFORE,
            "the same, receiveTimeout 30 s",
            (url, handling) -> new BogusSelector(url, handling, Duration.ofSeconds(30))),

    /** The origin's last way. */
    STOP_START(
            "stop-start",
            Role.AFTER,
            "Spring's container, handlers suspended, stopped at 500 in flight, started at 350, acceptMessagesWhileStopping",
            StopStart::new),

    /** See {@link FixedConcurrency}. */
    DMLC_500(
            "dmlc-fixed",
            Role.PEER,
            "Spring's container, concurrency 500 on virtual threads, sessionTransacted, receiveTimeout 1 s",
            (url, handling) -> new FixedConcurrency(url, handling, 500)),

    /** Where handlers take no time, fewer sessions may do better. */
    DMLC_50(
            "dmlc-fixed-50",
            Role.PEER,
            "the same, concurrency 50",
            (url, handling) -> new FixedConcurrency(url, handling, 50)),

    /** As it is while nobody sets anything but the bound. */
    PENSTOCK(
            "penstock",
            Role.OURS,
            "flow with a limit that finds itself between 1 and 500, the source at its defaults",
            PenstockSource::automatic),

    /** Its best rung. */
    INDIVIDUAL(
            "individual",
            Role.OURS,
            "500 in flight, each acknowledged by itself through the one thread of its session",
            (url, handling) -> PenstockSource.by(JmsSource.AckMode.INDIVIDUAL, url, handling)),

    /** The next. */
    BATCHES(
            "batches",
            Role.OURS,
            "500 in flight, received and committed in batches",
            (url, handling) -> PenstockSource.by(JmsSource.AckMode.BATCHES, url, handling)),

    /** What any provider can do. */
    SESSIONS(
            "sessions",
            Role.OURS,
            "500 transacted sessions",
            (url, handling) -> PenstockSource.by(JmsSource.AckMode.SESSIONS, url, handling));

    /** How many may be in flight. */
    static final int BOUND = 500;

    private final Entry entry;
    private final Maker maker;

    /** Makes a consumer, which begins at once. */
    private interface Maker {
        Consumer at(String url, MessageWork handling) throws Exception;
    }

    JmsFlowContestants(String name, Role role, String how, Maker maker) {
        this.entry = Entry.of(name, role, Map.of("how", how));
        this.maker = maker;
    }

    /**
     * The one of that name.
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

    /** Those of a course: fewer sessions are worth a try only where handlers take no time. */
    static List<Entry> entries(HandlerTime time) {
        return Arrays.stream(values())
                .filter(contestant -> contestant != DMLC_50 || time.most() == 0)
                .map(JmsFlowContestants::entry)
                .toList();
    }

    Entry entry() {
        return entry;
    }

    /** Makes it; it begins at once. */
    Consumer at(String url, MessageWork handling) throws Exception {
        return maker.at(url, handling);
    }
}
