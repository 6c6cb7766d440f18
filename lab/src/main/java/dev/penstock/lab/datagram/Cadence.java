package dev.penstock.lab.datagram;

import dev.penstock.Durations;
import java.time.Duration;
import java.util.Locale;

/** When datagrams are due, by their number in order, from 0 on. Immutable. */
public sealed interface Cadence {
    /** The highest rate that can be asked for. */
    double MOST_PER_SECOND = 10_000_000;

    /**
     * How many are due by a time.
     *
     * @param nanos since the start, 0 or more
     */
    long due(long nanos);

    /**
     * When one is due, in nanoseconds since the start.
     *
     * @param index which, from 0 on
     */
    long at(long index);

    /** How many are sent a second in the long run. */
    double perSecond();

    /**
     * One every so often, the first at once.
     *
     * @param perSecond above 0, at most {@link #MOST_PER_SECOND}
     */
    static Cadence steady(double perSecond) {
        if (!(perSecond > 0) || perSecond > MOST_PER_SECOND) {
            throw new IllegalArgumentException(
                    "a rate is above 0 and at most 10,000,000 a second, not " + Steady.words(perSecond));
        }
        return new Steady(perSecond);
    }

    /**
     * Many as fast as they can be sent, then nothing until it is time for as many again. All of a burst are due when it begins.
     *
     * @param size how many, 1 to 10,000,000
     * @param every from the beginning of one to that of the next, above 0
     */
    static Cadence bursts(int size, Duration every) {
        if (size < 1 || size > 10_000_000) {
            throw new IllegalArgumentException("a burst has 1 to 10,000,000 datagrams, not " + size);
        }
        if (every.isNegative() || every.isZero()) {
            throw new IllegalArgumentException("the time between bursts is above 0, not " + Durations.words(every));
        }
        return new Bursts(size, Durations.nanos(every));
    }

    /**
     * Evenly spaced.
     *
     * @param perSecond how many
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
            return words(perSecond) + " datagrams a second";
        }

        private static String words(double rate) {
            return rate == Math.rint(rate) && Math.abs(rate) < 1e15
                    ? String.format(Locale.ROOT, "%,d", (long) rate)
                    : String.format(Locale.ROOT, "%,.1f", rate);
        }
    }

    /**
     * In bursts.
     *
     * @param size how many in each
     * @param every nanoseconds from one to the next
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
        public double perSecond() {
            return size * 1e9 / every;
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "bursts of %,d datagrams every %s", size, Durations.words(every));
        }
    }
}
