package dev.penstock.kit;

import dev.penstock.Ticker;
import java.util.PriorityQueue;

/** Virtual time: events in their order, on one thread. */
public final class World {
    public static final long SECOND = 1_000_000_000L;
    public static final long MILLI = 1_000_000L;

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

    /** The time, in nanoseconds since the beginning. */
    public long now() {
        return now;
    }

    /** This time as a clock, by which no thread can wait. */
    public Ticker ticker() {
        return new Ticker() {
            @Override
            public long nanos() {
                return now;
            }

            @Override
            public void parkUntil(long nanos) {
                throw new AssertionError("no thread waits in virtual time");
            }
        };
    }

    /** Lets something happen at a time, after all that was planned for the same time before. */
    public void at(long time, Runnable what) {
        events.add(new Event(Math.max(time, now), number++, what));
    }

    /** Lets something happen some time from now. */
    public void in(long nanos, Runnable what) {
        at(now + nanos, what);
    }

    /** Lets everything up to a time happen. */
    public void runUntil(long end) {
        while (!events.isEmpty() && events.peek().at <= end) {
            Event next = events.poll();
            now = next.at;
            next.what.run();
        }
        now = end;
    }
}
