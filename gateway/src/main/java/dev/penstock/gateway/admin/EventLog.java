package dev.penstock.gateway.admin;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last events of a gateway: at most {@value #MOST}, the oldest go first. Safe for many threads. */
final class EventLog {
    /** How many are kept. */
    static final int MOST = 200;

    private final InstantSource wallClock;
    private final Deque<FlowEvent> kept = new ArrayDeque<>(MOST);
    /** Begins with the time, so that ids of a later run are greater and a page that was open all the while misses none. */
    private long last;

    EventLog(InstantSource wallClock) {
        this.wallClock = wallClock;
        this.last = wallClock.millis();
    }

    /** Takes down what happened to a flow. */
    synchronized void add(String flow, FlowEvent.News news) {
        if (kept.size() == MOST) {
            kept.removeFirst();
        }
        kept.addLast(new FlowEvent(++last, wallClock.instant(), flow, news.kind(), news.text()));
    }

    /** Those that came after the one of this id, oldest first; all that are kept for 0, or an id of another run. */
    synchronized List<FlowEvent> after(long id) {
        return kept.stream().filter(event -> id > last || event.id() > id).toList();
    }
}
