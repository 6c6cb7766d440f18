package dev.penstock.lab.datagram;

import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.time.Duration;
import java.util.Locale;

/** The send times of datagrams by their sequence number, from 0. Immutable. */
public sealed interface Cadence {
    /** The maximum rate. */
    double MAX_PER_SECOND = 10_000_000;

    /**
     * The number of datagrams due at a time.
     *
     * @param nanos since the start, 0 or more
     */
    long due(long nanos);

    /**
     * The send time of a datagram, in nanoseconds since the start.
     *
     * @param index its number, from 0
     */
    long at(long index);

    /**
     * Evenly spaced at a constant rate, the first immediately.
     *
     * @param perSecond above 0, at most {@link #MAX_PER_SECOND}
     */
    static Cadence steady(double perSecond) {
        if (!(perSecond > 0) || perSecond > MAX_PER_SECOND) {
            throw new IllegalArgumentException(
                    "a rate must be above 0 and at most 10,000,000 per second, not " + Steady.format(perSecond));
        }
        return new Steady(perSecond);
    }

    /**
     * Periodic bursts, each sent as fast as possible. All datagrams of a burst are due at its start.
     *
     * @param size datagrams per burst, 1 to 10,000,000
     * @param every from the start of one burst to the start of the next, above 0
     */
    static Cadence bursts(int size, Duration every) {
        return new Bursts(
                Ranges.within("the datagrams of a burst", size, 1, 10_000_000),
                Durations.nanos(Ranges.positive("the time between bursts", every)));
    }

    /**
     * Evenly spaced.
     *
     * @param perSecond the rate
     */
    record Steady(double perSecond) implements Cadence {
        @Override
        public long due(long nanos) {
            return (long) (nanos * perSecond / 1e9) + 1;
        }

        @Override
        public long at(long index) {
            return (long) Math.ceil(index * 1e9 / perSecond);
        }

        @Override
        public String toString() {
            return format(perSecond) + " datagrams/s";
        }

        private static String format(double rate) {
            return rate == Math.rint(rate) && Math.abs(rate) < 1e15
                    ? String.format(Locale.ROOT, "%,d", (long) rate)
                    : String.format(Locale.ROOT, "%,.1f", rate);
        }
    }

    /**
     * In bursts.
     *
     * @param size datagrams per burst
     * @param every nanoseconds between bursts
     */
    record Bursts(int size, long every) implements Cadence {
        @Override
        public long due(long nanos) {
            return (nanos / every + 1) * size;
        }

        @Override
        public long at(long index) {
            return index / size * every;
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "bursts of %,d datagrams every %s", size, Durations.format(every));
        }
    }
}
