package dev.penstock.meter;

/**
 * The buckets of a histogram of times: {@value #SLOTS} buckets from 0 to 1 h. No bucket is wider than 1/128 of its time or
 * 512 ns, which gives 2 significant digits.
 *
 * <p>They are the buckets of an HdrHistogram (Gil Tene) of the same range and precision, so that the conversion is exact: linear
 * buckets of 512 ns up to 131 us, then 128 per doubling.
 */
final class TimeBuckets {
    /** The number of buckets. */
    static final int SLOTS = 3_456;

    /** The width of a linear bucket is 2 to this power, in nanoseconds. */
    private static final int UNIT = 9;

    /** Each doubling has 2 to this power buckets. */
    private static final int FINENESS = 7;

    private static final int EACH = 1 << FINENESS;

    private TimeBuckets() {}

    /** The bucket of a time in nanoseconds; clamped to 0 to 1 h. */
    static int slot(long nanos) {
        long units = Math.clamp(nanos, 0, Timings.LONGEST_NANOS) >>> UNIT;
        // The doublings above the linear range; 0 within it.
        int doublings = Math.max(0, Long.SIZE - 1 - FINENESS - Long.numberOfLeadingZeros(units | 1));
        return doublings * EACH + (int) (units >>> doublings);
    }

    /** The shortest time of a bucket, in nanoseconds. */
    static long nanos(int slot) {
        int doublings = Math.max(0, slot / EACH - 1);
        return (long) (slot - doublings * EACH) << (doublings + UNIT);
    }
}
