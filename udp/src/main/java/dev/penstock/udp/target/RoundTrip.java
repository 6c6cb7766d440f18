package dev.penstock.udp.target;

import dev.penstock.LiveSetting;
import dev.penstock.text.Durations;
import java.util.random.RandomGenerator;

/**
 * Computes when an answer is overdue. Pure: round trips and timeouts go in, waits come out.
 *
 * <h2>Design note</h2>
 *
 * <p>As in RFC 6298, the timeout is the smoothed round trip (a new sample weighs 1/8) plus four times its smoothed deviation
 * (1/4); before the first sample it is 1 s. The RFC has a minimum of 1 s to avoid needless retransmissions by TCP. Here a
 * needless repeat is only one more datagram, which the peer recognizes by its id, so the minimum is 20 ms unless configured.
 *
 * <p>Karn's algorithm: the answer to a request that was sent more than once is not measured, because it is unknown which
 * datagram it answers. But then a peer that has become slower than the timeout would never be measured again. So a timeout
 * doubles the wait of all requests, until a request that was sent once is answered. Of requests that time out together, only
 * the first doubles it: a request sent before the last doubling is no evidence against the doubled wait.
 *
 * <p>Each further attempt of a request waits twice as long as the one before, plus a random part of up to a quarter, so that
 * requests that were lost together are not repeated together.
 *
 * <p>Safe for many threads.
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

    /** A measured timeout within a range, in nanoseconds. */
    static RoundTrip between(long least, long most) {
        return new RoundTrip(least, most, 0);
    }

    /** A fixed timeout of the first attempt, in nanoseconds; the waits of later attempts are limited to {@code most}. */
    static RoundTrip pinned(long nanos, long most) {
        return new RoundTrip(nanos, Math.max(nanos, most), nanos);
    }

    /** Records the round trip of a request that was sent once, in nanoseconds. */
    synchronized void answered(long nanos) {
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
     * Records a timeout.
     *
     * @param sentAt when the request was sent
     * @param now when it timed out
     */
    synchronized void overdue(long sentAt, long now) {
        if (doublings == 0 || sentAt - doubledAt >= 0) {
            doublings = Math.min(MAX_DOUBLINGS, doublings + 1);
            doubledAt = now;
        }
    }

    /**
     * Returns the wait for an answer, in nanoseconds.
     *
     * @param attempt 1 for the first
     * @param random the source of the random part; used by one thread at a time
     */
    synchronized long wait(int attempt, RandomGenerator random) {
        long whole = doubled(timeout(), attempt - 1);
        return whole + random.nextLong(whole / 4 + 1);
    }

    /** The wait of a first attempt, in nanoseconds, without the random part. */
    synchronized long timeout() {
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

    /** The timeout, with the reason for it. */
    synchronized LiveSetting.Now setting() {
        String value = Durations.format(timeout());
        if (isPinned()) {
            return new LiveSetting.Now(value, "above 0", "wait for an answer; doubles with each attempt", true);
        }
        String reason = measured == 0
                ? "wait for an answer; nothing measured yet"
                : "%,d answers took %s on average; the timeout is the mean plus four times the deviation"
                        .formatted(measured, Durations.format(Math.round(mean)));
        return new LiveSetting.Now(value, Durations.format(least) + ".." + Durations.format(most), reason, false);
    }
}
