package dev.penstock.limit;

import org.jspecify.annotations.Nullable;

/**
 * Two turns, one with slightly more permits than the other, in either order. Each is over when enough calls began in it, and nearly
 * all of them have ended at the same number of permits. Not thread-safe.
 */
final class TurnPair {
    enum Progress {
        RUNNING,
        /** Enough calls began; those that begin from now on belong to another turn. */
        ENDING,
        OVER,
        /** Nothing waited, so the number in flight was not the number of permits. */
        IDLE
    }

    /** Nearly all: those that end first are the shortest. */
    static final double ENDED = 0.98;

    static final long SHORTEST_TURN = 20_000_000;

    private static final int SAMPLES = 60;
    /** With fewer times a turn shows nothing. */
    static final int MIN_TIMES = 3;

    private static final double TURN_SHARE = 2;
    private static final double LONGEST_WAIT = 3;

    private @Nullable Turn first;
    private @Nullable Turn second;
    private boolean ending;
    private long endingFrom;

    /** The next half begins. */
    void begin(Turn half) {
        if (first == null) {
            first = half;
        } else {
            second = half;
        }
        ending = false;
    }

    /** The half that runs, or the last one; null before the first. */
    @Nullable
    Turn half() {
        return second != null ? second : first;
    }

    boolean hasBoth() {
        return second != null;
    }

    /** How far the half is, whose turns are to be longer by a factor. */
    Progress progress(long now, double usualNanos, double stretch) {
        Turn half = half();
        if (half == null) {
            return Progress.IDLE;
        }
        double usual = Math.max(SHORTEST_TURN, usualNanos);
        if (ending) {
            double longest = Math.min(LONGEST_WAIT * Math.max(usual, half.cost(now)), Turn.LONGEST * usual);
            return half.hasEnded(ENDED) || now - endingFrom > longest ? Progress.OVER : Progress.RUNNING;
        }
        long took = now - half.from();
        boolean isLong = took >= Math.max(SHORTEST_TURN, TURN_SHARE * usualNanos) * Math.sqrt(stretch)
                && half.started() >= SAMPLES * stretch;
        if (half.blocked() == 0 && (isLong || took > LONGEST_WAIT * usual)) {
            return Progress.IDLE;
        }
        if (!isLong) {
            return Progress.RUNNING;
        }
        ending = true;
        endingFrom = now;
        return Progress.ENDING;
    }

    /** Whether the two can be compared. */
    boolean isConclusive() {
        return low().permits() < high().permits() && low().timed() >= MIN_TIMES && high().timed() >= MIN_TIMES;
    }

    /** The half with more permits. */
    Turn high() {
        return both(1);
    }

    /** The half with fewer permits. */
    Turn low() {
        return both(-1);
    }

    private Turn both(int side) {
        Turn one = first;
        Turn other = second;
        if (one == null || other == null) {
            throw new IllegalStateException("a pair without its second half");
        }
        return side * (one.permits() - other.permits()) > 0 ? one : other;
    }
}
