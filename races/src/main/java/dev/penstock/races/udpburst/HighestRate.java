package dev.penstock.races.udpburst;

import dev.penstock.lab.datagram.LossSearch;
import dev.penstock.lab.datagram.LossSearch.Seen;
import dev.penstock.races.udpburst.BurstSender.BurstOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Finds the highest rate that a server sustains. The search uses short steps, each of which must give the same result
 * twice; a longer run then confirms the rate found. A rate that is not confirmed is lowered until one is.
 *
 * <p>Zero loss is not enough: a buffer of 31,857 datagrams can hide for seconds that a server is slightly too slow. So
 * when sending ends, the datagrams still waiting must not exceed those that arrive within 20 ms.
 *
 * @param step the length of a search step
 * @param confirmation the length of a confirmation run
 * @param tolerance the final relative difference between the rates that passed and failed
 */
record HighestRate(Duration step, Duration confirmation, double tolerance) {
    /** The largest accepted backlog, in seconds. */
    private static final double MAX_BACKLOG_SECONDS = 0.02;

    /** The smallest accepted share of the requested rate that the sender must reach. */
    private static final double MIN_SENT_SHARE = 0.98;

    private static final double MAX_RATE = 2_000_000;

    /** Sends at a rate per second for a given time. */
    @FunctionalInterface
    interface Trial {
        BurstOutcome at(double rate, Duration lasting) throws IOException, InterruptedException;
    }

    /**
     * The result of the search.
     *
     * @param confirmed the run that confirmed the highest rate, which is the last run; null if none was confirmed
     * @param senderBound whether the sender was the bottleneck
     */
    record Found(@Nullable BurstOutcome confirmed, boolean senderBound) {
        /** The rate per second as it was sent; 0 if none was confirmed. */
        double rate() {
            return confirmed == null ? 0 : confirmed.rate();
        }
    }

    /**
     * Runs the search.
     *
     * @param from the initial rate per second
     * @param maxLossShare the accepted share of lost datagrams
     */
    Found search(double from, double maxLossShare, Trial trial) throws IOException, InterruptedException {
        LossSearch search =
                LossSearch.from(from).most(MAX_RATE).within(tolerance).confirming();
        BurstOutcome last = null;
        for (OptionalDouble next = search.next(); next.isPresent(); next = search.next()) {
            double rate = next.getAsDouble();
            last = trial.at(rate, search.isConfirming() ? confirmation : step);
            search.record(classify(rate, maxLossShare, last));
        }
        return new Found(search.highest() > 0 ? last : null, search.bound() == Seen.NOT_SENT);
    }

    static Seen classify(double rate, double maxLossShare, BurstOutcome outcome) {
        if (outcome.whyInvalid() != null || outcome.rate() < MIN_SENT_SHARE * rate) {
            return Seen.NOT_SENT;
        }
        boolean well = outcome.lost() <= maxLossShare * outcome.sent()
                && outcome.waiting() <= rate * MAX_BACKLOG_SECONDS
                && outcome.wrong() == 0;
        return well ? Seen.WELL : Seen.LOSSY;
    }
}
