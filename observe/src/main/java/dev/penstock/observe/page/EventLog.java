package dev.penstock.observe.page;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last {@value #MAX} events of a process. Thread-safe. */
final class EventLog {
    /** The number of events kept. */
    static final int MAX = 200;

    private final InstantSource wallClock;
    private final Deque<FlowEvent> kept = new ArrayDeque<>(MAX);
    /** Starts at the current time, so that ids increase across restarts and an open dashboard misses no event. */
    private long lastId;

    EventLog(InstantSource wallClock) {
        this.wallClock = wallClock;
        this.lastId = wallClock.millis();
    }

    /** Adds an event of a flow. */
    synchronized void add(String flow, FlowEvent.News news) {
        if (kept.size() == MAX) {
            kept.removeFirst();
        }
        kept.addLast(new FlowEvent(++lastId, wallClock.instant(), flow, news.kind(), news.text()));
    }

    /** The events after an id, oldest first; all events for 0 or an id of another run. */
    synchronized List<FlowEvent> after(long id) {
        return kept.stream().filter(event -> id > lastId || event.id() > id).toList();
    }

    /**
     * An event of a flow, for operators.
     *
     * @param id increases with every event of a process
     * @param at when it was detected, up to a second after it happened
     * @param flow the flow's name; empty for the whole process
     * @param kind the subject: {@code limit}, {@code connections}, {@code breaker}, {@code pin}, {@code rejected}, {@code
     *     failed}, {@code unknown}, {@code answers}, {@code lost}, {@code file}, {@code
     *     certificate} or {@code drain}
     * @param text one sentence, with its numbers
     */
    record FlowEvent(long id, Instant at, String flow, String kind, String text) {
        /**
         * An event without id and time.
         *
         * @param kind as above
         * @param text one sentence
         */
        record News(String kind, String text) {}
    }
}
