package dev.penstock.races.jmsflow;

import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.ContestantList;

/** The contestants of the race. */
final class JmsFlowContestants {
    static final String UNTHROTTLED = "unthrottled";
    static final String STOP_START = "stop-start";
    static final String DMLC_50 = "dmlc-fixed-50";
    static final String PENSTOCK = "penstock";

    /** The maximum number of messages in flight. */
    static final int BOUND = 500;

    static final ContestantList<Factory> ALL = ContestantList.<Factory>of("jms-flow")
            .add(
                    UNTHROTTLED,
                    Role.LIMIT,
                    "one listener that acknowledges immediately and starts a virtual thread per message; no limit",
                    Unthrottled::new)
            // The original service's first solution, and its last.
            .add(
                    "bogus-selector-1ms",
                    Role.BEFORE,
                    "Spring's container, asynchronous handlers, a selector that matches nothing at 500 in flight, receiveTimeout 1 ms",
                    BogusSelector::new)
            .add(
                    STOP_START,
                    Role.AFTER,
                    "Spring's container, asynchronous handlers, stopped at 500 in flight, started at 350, acceptMessagesWhileStopping",
                    StopStart::new)
            .add(
                    "dmlc-fixed",
                    Role.PEER,
                    "Spring's container, concurrency 500 on virtual threads, sessionTransacted, receiveTimeout 1 s",
                    (url, handling) -> new FixedConcurrency(url, handling, 500))
            // Fewer sessions may be faster when handlers take no time.
            .add(
                    DMLC_50,
                    Role.PEER,
                    "the same, concurrency 50",
                    (url, handling) -> new FixedConcurrency(url, handling, 50))
            .add(
                    PENSTOCK,
                    Role.OURS,
                    "flow with an adaptive limit of 1 to 500, source at its defaults",
                    PenstockSource::automatic)
            // With a fixed limit.
            .add(
                    "individual",
                    Role.OURS,
                    "500 in flight, each acknowledged individually by its session's thread",
                    PenstockSource::pinned);

    private JmsFlowContestants() {}

    /** Creates a consumer, which starts immediately. */
    interface Factory {
        Consumer at(String url, MessageWork handling) throws Exception;
    }

    /** A contestant: consumes the queue from its creation until it is closed. */
    interface Consumer extends AutoCloseable {
        /** Stops receiving, and completes the messages in flight. */
        @Override
        void close();
    }
}
