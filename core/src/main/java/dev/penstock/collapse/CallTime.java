package dev.penstock.collapse;

import dev.penstock.Durations;
import dev.penstock.Rejected;
import java.time.Duration;

/**
 * How long calls take, from those that were answered. Every batcher of a collapse goes by the same one, so that a new key
 * need not learn it anew.
 *
 * <h2>Design note</h2>
 *
 * <p>Mean and deviation are kept as RFC 6298 keeps those of round trips, but for one thing: a sample counts as {@value
 * #STRAY} times the mean at most, so that a stray one cannot blow up the budget, while a change that lasts is followed in a
 * dozen calls.
 *
 * <p>What has less time left than the shortest call of late cannot be answered any more. The shortest is that of this and
 * the last {@value #TURN} calls. One request in a while is let through all the same, lest we err for ever.
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

    /** A call was answered. */
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

    /** What it depends on. */
    CallTimeModel model() {
        return model;
    }

    /** Whether any call was answered yet. */
    boolean isKnown() {
        return mean > 0;
    }

    /** In nanoseconds; 0 while unknown. */
    double mean() {
        return mean;
    }

    /** How far calls are from the mean, in the mean, in nanoseconds. */
    double deviation() {
        return deviation;
    }

    /** Whether no call of late was answered within this time. */
    boolean isHopeless(long left) {
        return left <= 0 || left < shortest;
    }

    /** The ending of what was not sent for that reason. */
    Rejected hopeless(long left) {
        long least = shortest;
        return new Rejected(
                Rejected.Cause.DEADLINE,
                () -> left <= 0
                        ? "the time was up before its batch was sent"
                        : "with %s left it was not sent, as no call of late took less than %s"
                                .formatted(words(left), words(least)),
                least);
    }

    private static String words(long nanos) {
        return Durations.words(Duration.ofNanos(nanos));
    }

    /** Whether something hopeless is to be sent all the same, to see whether it still is; at most once in a while. */
    synchronized boolean isTrialDue(long left, long now) {
        if (left <= 0 || (tried && now - lastTrial < TRIAL_TIMES * mean)) {
            return false;
        }
        tried = true;
        lastTrial = now;
        return true;
    }
}
