package dev.penstock.kit;

import dev.penstock.Ticker;
import java.util.Arrays;

/** Virtual time: events in their order, on one thread. */
public final class World {
    public static final long SECOND = 1_000_000_000L;
    public static final long MILLI = 1_000_000L;

    private final Events events = new Events();
    private long now;

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
        events.add(Math.max(time, now), what);
    }

    /** Lets something happen some time from now. */
    public void in(long nanos, Runnable what) {
        at(now + nanos, what);
    }

    /** Lets everything up to a time happen. */
    public void runUntil(long end) {
        while (events.size > 0 && events.times[0] <= end) {
            now = events.times[0];
            events.poll().run();
        }
        now = end;
    }

    /** A heap with four children for each node: simulations spend most of their time here. */
    private static final class Events {
        private long[] times = new long[1024];
        private long[] numbers = new long[1024];
        private Runnable[] whats = new Runnable[1024];
        private int size;
        private long added;

        void add(long time, Runnable what) {
            if (size == times.length) {
                times = Arrays.copyOf(times, 2 * size);
                numbers = Arrays.copyOf(numbers, 2 * size);
                whats = Arrays.copyOf(whats, 2 * size);
            }
            int hole = size++;
            while (hole > 0 && time < times[(hole - 1) >> 2]) {
                move((hole - 1) >> 2, hole);
                hole = (hole - 1) >> 2;
            }
            times[hole] = time;
            numbers[hole] = added++;
            whats[hole] = what;
        }

        Runnable poll() {
            Runnable first = whats[0];
            int last = --size;
            int hole = 0;
            for (int child = 1; child < size; child = 4 * hole + 1) {
                int least = child;
                for (int other = child + 1; other < Math.min(child + 4, size); other++) {
                    least = isBefore(other, least) ? other : least;
                }
                if (!isBefore(least, last)) {
                    break;
                }
                move(least, hole);
                hole = least;
            }
            move(last, hole);
            return first;
        }

        private boolean isBefore(int one, int other) {
            return times[one] < times[other] || (times[one] == times[other] && numbers[one] < numbers[other]);
        }

        private void move(int from, int to) {
            times[to] = times[from];
            numbers[to] = numbers[from];
            whats[to] = whats[from];
        }
    }
}
