package dev.penstock.limit.simulate;

import java.util.PriorityQueue;

/** Virtual time: events in their order, on one thread. */
final class World {
    static final long SECOND = 1_000_000_000L;
    static final long MILLI = 1_000_000L;

    private record Event(long at, long number, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>(1024);
    private long now;
    private long number;

    long now() {
        return now;
    }

    /** Lets something happen at a time, after all that was planned for the same time before. */
    void at(long time, Runnable what) {
        events.add(new Event(Math.max(time, now), number++, what));
    }

    void in(long nanos, Runnable what) {
        at(now + nanos, what);
    }

    /** Lets everything up to a time happen. */
    void runUntil(long end) {
        while (!events.isEmpty() && events.peek().at <= end) {
            Event next = events.poll();
            now = next.at;
            next.what.run();
        }
        now = end;
    }
}
