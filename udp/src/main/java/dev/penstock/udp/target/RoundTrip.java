package dev.penstock.udp.target;

import java.util.random.RandomGenerator;

/**
 * When an answer is overdue. Pure: round trips and timeouts go in, waits come out.
 *
 * <h2>Design note</h2>
 *
 * <p>RFC 6298: an average of the round trips (a new one weighs 1/8) and one of how far they deviation from it (1/4); overdue is
 * what takes longer than the average and four times the other. Before the first one, 1 s. That RFC never waits less than 1 s,
 * for TCP would mend by itself what was merely late; here a repeat is a datagram more, which the peer knows by its id, so the
 * least is 20 ms unless set.
 *
 * <p>Karn: an answer to what was sent more than once measures nothing, for nobody can tell which of them it answers. So a peer
 * that has become slower than the wait would never be measured again. Therefore a timeout doubles the wait for all, until an
 * answer to something sent once comes back. Of the many that time out together only the first doubles it: what was sent before
 * the last doubling says nothing about the wait since.
 *
 * <p>Each further attempt of a request waits twice as long as the one before, and up to a quarter longer by chance, so that
 * what was lost together is not sent again together.
 *
 * <p>Not safe for many threads.
 */
final class RoundTrip {
    static final long INITIAL_NANOS = 1_000_000_000L;
    private static final int MAX_DOUBLINGS = 6;

    private final long least;
    private final long most;
    private final long pinned;
    private double mean;
    private double deviation;
    private long measured;
    private int doublings;
    private long doubledAt;

    private RoundTrip(long least, long most, long pinned) {
        this.least = least;
        this.most = most;
        this.pinned = pinned;
    }

    /** Measures, and waits no less and no longer than this, in nanoseconds. */
    static RoundTrip between(long least, long most) {
        return new RoundTrip(least, most, 0);
    }

    /** Waits this long for the first answer, in nanoseconds, whatever is measured; longer waits are bounded. */
    static RoundTrip pinned(long nanos, long most) {
        return new RoundTrip(nanos, Math.max(nanos, most), nanos);
    }

    /** What was sent once was answered. */
    void answered(long nanos) {
        double took = Math.max(1, nanos);
        if (measured == 0) {
            mean = took;
            deviation = took / 2;
        } else {
            deviation += (Math.abs(mean - took) - deviation) / 4;
            mean += (took - mean) / 8;
        }
        measured++;
        doublings = 0;
    }

    /**
     * No answer came in time.
     *
     * @param sentAt when that was sent
     * @param now when it was given up
     */
    void overdue(long sentAt, long now) {
        if (doublings == 0 || sentAt - doubledAt >= 0) {
            doublings = Math.min(MAX_DOUBLINGS, doublings + 1);
            doubledAt = now;
        }
    }

    /**
     * How long to wait for an answer.
     *
     * @param attempt 1 for the first
     * @param random by how much longer it is
     */
    long wait(int attempt, RandomGenerator random) {
        long whole = doubled(timeout(), attempt - 1);
        return whole + random.nextLong(whole / 4 + 1);
    }

    /** How long a first attempt waits, in nanoseconds, without what is added by chance. */
    long timeout() {
        return pinned > 0 ? pinned : doubled(measuredTimeout(), doublings);
    }

    private long measuredTimeout() {
        return Math.clamp(measured == 0 ? INITIAL_NANOS : Math.round(mean + 4 * deviation), least, most);
    }

    private long doubled(long nanos, int times) {
        long whole = nanos;
        for (int i = 0; i < times && whole < most; i++) {
            whole *= 2;
        }
        return Math.min(whole, most);
    }

    boolean isPinned() {
        return pinned > 0;
    }

    /** The average of what was measured, in nanoseconds; 0 while nothing was. */
    long mean() {
        return Math.round(mean);
    }

    /** How many round trips were measured. */
    long measured() {
        return measured;
    }
}
