package dev.penstock.collapse;

import dev.penstock.Rejected;
import dev.penstock.text.Durations;
import java.time.Duration;

/**
 * Statistics of call times, from answered calls. All batchers of a collapse share one instance, so a new key starts with what
 * is known.
 *
 * <h2>Design note</h2>
 *
 * <p>Mean and deviation are computed as in RFC 6298 for round trips, with one difference: a sample is capped at {@value
 * #STRAY} times the mean. So an outlier cannot inflate the budget, while a lasting change is followed within a dozen calls.
 *
 * <p>A request whose time left is below the shortest recent call time is treated as hopeless. The shortest is taken over the
 * current and the previous block of {@value #TURN} calls. Occasionally a hopeless request is sent nevertheless, as a trial,
 * to correct an estimate that is no longer true.
 *
 * <p>Safe for many threads.
 */
final class CallTime {
    private static final double STRAY = 4;
    private static final double MEAN_WEIGHT = 1.0 / 8;
    private static final double DEVIATION_WEIGHT = 1.0 / 4;
    private static final int TURN = 64;
    private static final int TRIAL_TIMES = 10;

    private final CallTimeModel model = new CallTimeModel();
    private volatile double mean;
    private volatile double deviation;
    private volatile long shortest;
    private long shortestBefore = Long.MAX_VALUE;
    private long shortestNow = Long.MAX_VALUE;
    private int inTurn;
    private boolean tried;
    private long lastTrial;

    /** Records the time of an answered call. */
    synchronized void sample(long nanos) {
        long took = Math.max(1, nanos);
        if (mean == 0) {
            mean = took;
            deviation = took / 8.0;
        } else {
            double held = Math.min((double) took, STRAY * mean);
            deviation += (Math.abs(held - mean) - deviation) * DEVIATION_WEIGHT;
            mean += (held - mean) * MEAN_WEIGHT;
        }
        shortestNow = Math.min(shortestNow, took);
        shortest = Math.min(shortestBefore, shortestNow);
        if (++inTurn == TURN) {
            inTurn = 0;
            shortestBefore = shortestNow;
            shortestNow = Long.MAX_VALUE;
        }
    }

    /** The model of how the call time depends on batch size and concurrency. */
    CallTimeModel model() {
        return model;
    }

    /** Whether any call was answered yet. */
    boolean isKnown() {
        return mean > 0;
    }

    /** The mean call time in nanoseconds; 0 while unknown. */
    double mean() {
        return mean;
    }

    /** The mean deviation of call times, in nanoseconds. */
    double deviation() {
        return deviation;
    }

    /** Whether no recent call was answered within this time. */
    boolean isHopeless(long left) {
        return left <= 0 || left < shortest;
    }

    /** The ending of a request that is not sent because it is hopeless. */
    Rejected hopeless(long left) {
        long least = shortest;
        return new Rejected(
                Rejected.Cause.DEADLINE,
                () -> left <= 0
                        ? "the deadline passed before its batch was sent"
                        : "not sent with %s left before the deadline, since no recent call took less than %s"
                                .formatted(format(left), format(least)),
                least);
    }

    private static String format(long nanos) {
        return Durations.format(Duration.ofNanos(nanos));
    }

    /** Whether to send a hopeless request as a trial; at most once per {@value #TRIAL_TIMES} mean call times. */
    synchronized boolean isTrialDue(long left, long now) {
        if (left <= 0 || (tried && now - lastTrial < TRIAL_TIMES * mean)) {
            return false;
        }
        tried = true;
        lastTrial = now;
        return true;
    }
}
