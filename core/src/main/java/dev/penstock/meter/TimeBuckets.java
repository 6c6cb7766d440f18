package dev.penstock.meter;

/**
 * The steps in which times are kept: {@value #SLOTS} of them from 0 to an hour, none wider than 1/128 of its time or
 * 512 ns, which is 2 significant digits.
 *
 * <p>They are the steps of an HdrHistogram of the same range and precision, so that turning counts into one loses nothing:
 * even ones of 512 ns up to 131 us, and from there on 128 for each doubling. Gil Tene, HdrHistogram.
 */
final class TimeBuckets {
    /** How many steps there are. */
    static final int SLOTS = 3_456;

    /** One step is 2 to this power in nanoseconds where steps are even. */
    private static final int UNIT = 9;

    /** Each doubling has 2 to this power of steps. */
    private static final int FINENESS = 7;

    private static final int EACH = 1 << FINENESS;

    private TimeBuckets() {}

    /** The step of a time in nanoseconds; negative counts as 0, more than an hour as an hour. */
    static int slot(long nanos) {
        long units = Math.clamp(nanos, 0, Timings.LONGEST_NANOS) >>> UNIT;
        // The doublings beyond the even steps; 0 for what lies within them.
        int doublings = Math.max(0, Long.SIZE - 1 - FINENESS - Long.numberOfLeadingZeros(units | 1));
        return doublings * EACH + (int) (units >>> doublings);
    }

    /** The shortest time of a step, in nanoseconds. */
    static long nanos(int slot) {
        int doublings = Math.max(0, slot / EACH - 1);
        return (long) (slot - doublings * EACH) << (doublings + UNIT);
    }
}
