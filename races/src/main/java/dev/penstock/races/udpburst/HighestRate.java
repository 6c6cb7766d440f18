package dev.penstock.races.udpburst;

import dev.penstock.lab.datagram.LossSearch;
import dev.penstock.lab.datagram.LossSearch.Seen;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The highest rate at which a server keeps up: searched in short steps, each of which has to agree twice, then confirmed by a
 * longer one; a rate that is not confirmed is lowered until one is.
 *
 * <p>That nothing was lost is not enough: a buffer of 31,857 datagrams hides for seconds that a server is a little too slow. So
 * what waits when the last was sent may be no more than what comes in 20 ms.
 *
 * @param step how long a step of the search takes
 * @param confirmation how long the last one takes
 * @param close how close what passed and what failed are at the end, as a share
 */
record HighestRate(Duration step, Duration confirmation, double close) {
    /** Behind by this many seconds at most. */
    private static final double BEHIND = 0.02;

    /** The sender has to send at least this share of what it was asked for. */
    private static final double SENT = 0.98;

    private static final double MOST = 2_000_000;

    /** Sends at a rate, a second, for so long. */
    @FunctionalInterface
    interface Trying {
        BurstOutcome at(double rate, Duration lasting) throws IOException, InterruptedException;
    }

    /**
     * What was found.
     *
     * @param confirmed the run that confirmed the highest rate, the last that was tried; null when none was confirmed
     * @param senderBound whether it was the sender that could do no more
     */
    record Found(@Nullable BurstOutcome confirmed, boolean senderBound) {
        /** A second, as it was sent; 0 when none was confirmed. */
        double rate() {
            return confirmed == null ? 0 : confirmed.rate();
        }
    }

    /**
     * Searches.
     *
     * @param from where it begins, a second
     * @param mayBeLost the share that may be lost
     */
    Found search(double from, double mayBeLost, Trying trying) throws IOException, InterruptedException {
        LossSearch search = LossSearch.from(from).most(MOST).within(close).confirming();
        BurstOutcome last = null;
        for (OptionalDouble next = search.next(); next.isPresent(); next = search.next()) {
            double rate = next.getAsDouble();
            last = trying.at(rate, search.isConfirming() ? confirmation : step);
            search.record(seen(rate, mayBeLost, last));
        }
        return new Found(search.highest() > 0 ? last : null, search.bound() == Seen.NOT_SENT);
    }

    static Seen seen(double rate, double mayBeLost, BurstOutcome shot) {
        if (shot.whyInvalid() != null || shot.rate() < SENT * rate) {
            return Seen.NOT_SENT;
        }
        boolean well = shot.lost() <= mayBeLost * shot.sent() && shot.waiting() <= rate * BEHIND && shot.wrong() == 0;
        return well ? Seen.WELL : Seen.LOSSY;
    }
}
