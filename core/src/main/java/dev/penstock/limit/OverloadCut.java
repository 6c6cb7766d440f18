package dev.penstock.limit;

import dev.penstock.text.Durations;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the limit immediately when calls come to nothing, without waiting for the end of a turn.
 *
 * <ul>
 *   <li>Most attempts time out or get a busy answer: half of the limit, and a quarter of one that was never measured. This is the
 *       multiplicative decrease of TCP (RFC 5681, section 3.1). A timeout wastes its permit and the work of the target, so the
 *       slope of throughput would show it too late.
 *   <li>Calls take more than half of the deadline: a cut in proportion, since by Little's law the time of queued calls is in
 *       proportion to their number. The other half is for the wait queue and a repeat.
 * </ul>
 *
 * <p>Fast refusals are handled by {@link RefusalCap}. After a cut, attempts that began before it have to end before the next
 * one. Counts decay by 5 % with each sample.
 *
 * <p>A target that answered nothing for a while may only have paused. It gets one more permit per answer, up to half of the limit
 * before the pause: slow start up to {@code ssthresh}, which is half of the data in flight (RFC 5681, section 3.1).
 *
 * <p>No side effects; not thread-safe.
 */
final class OverloadCut {
    /** Why to cut. */
    enum Cause {
        /** Most attempts are dropped. */
        DROPS,
        /** All attempts are dropped: this does not show the capacity of the target. */
        SILENCE,
        /** Answers take too long for the deadline. */
        DEADLINE
    }

    /**
     * A cut.
     *
     * @param level the new limit
     * @param settleNanos the time that the attempts in flight need to end
     * @param reason one sentence
     */
    record Cut(Cause why, double level, long settleNanos, String reason) {}

    private static final double DECAY = 0.95;
    private static final int MIN_ATTEMPTS = 20;
    /** Drops that take a smaller share of the time of an answer are refusals. */
    private static final double FAST_SHARE = 0.3;

    /** Times vary, so only a typical time of this multiple of the allowed time causes a cut. */
    private static final double MAX_TIME = 1.2;

    /** The share of the limit that remains when most attempts were dropped. */
    private static final double KEPT_AFTER_DROPS = 0.5;

    /** The same when all were dropped, at a limit that was never measured. */
    private static final double KEPT_WHEN_NEVER_MEASURED = 0.25;

    /** After a pause of the target: the share of the earlier limit that comes back by one permit per answer. */
    private static final double RECOVERED_AFTER_SILENCE = 0.5;

    /** A cut for the deadline aims at attempts that take this share of the allowed time. */
    private static final double TARGET_TIME = 0.8;

    /** It keeps at least this share of the permits. */
    private static final double MIN_KEPT_FOR_DEADLINE = 0.3;

    private static final long MIN_INTERVAL_NANOS = 100_000_000L;

    private double answered;
    private double dropped;
    private double droppedNanos;
    private long noCutBefore;
    private double firstHalf;
    private double recovery;

    /** Sets the initial time. */
    void begin(long now) {
        noCutBefore = now;
    }

    /** Whether attempts that began before the last cut may still end. */
    boolean isSettling(long now) {
        return now - noCutBefore < 0;
    }

    /**
     * Takes a sample into account.
     *
     * @param permits the current number of permits
     * @param level the current limit
     * @param measured whether throughput was measured at about this limit
     * @param typicalNanos the typical time of an answered attempt; 0 while none was answered
     * @param allowedNanos the time that an attempt may take; infinite without a deadline
     * @return the cut; null for none
     */
    @Nullable
    Cut add(LoadSample sample, int permits, double level, boolean measured, double typicalNanos, double allowedNanos) {
        answered = DECAY * answered + sample.answered();
        dropped = DECAY * dropped + sample.dropped();
        droppedNanos = DECAY * droppedNanos + sample.droppedNanos();
        if (sample.dropped() > 0 && isOverload(typicalNanos)) {
            return forDrops(sample.to(), permits, level, measured);
        }
        boolean late = typicalNanos > MAX_TIME * allowedNanos && sample.answered() > 0;
        return late ? forDeadline(sample.to(), permits, typicalNanos, allowedNanos) : null;
    }

    /** Whether most attempts were dropped, and not quickly. */
    private boolean isOverload(double typicalNanos) {
        double took = droppedNanos / dropped;
        return answered + dropped >= MIN_ATTEMPTS
                && took >= FAST_SHARE * typicalNanos
                && (dropped > 4 * answered || (dropped > answered && took > 1.3 * typicalNanos));
    }

    private Cut forDrops(long now, int permits, double level, boolean measured) {
        long took = (long) (droppedNanos / dropped);
        String reason = "%.0f %% of attempts with %d in flight timed out or got a busy answer, after %s"
                .formatted(100 * dropped / (dropped + answered), permits, Durations.format(took));
        boolean silent = answered < 0.5;
        // Of several cuts without an answer in between, only the first was made at a measured limit.
        firstHalf = Math.max(firstHalf, measured ? RECOVERED_AFTER_SILENCE * level : 0);
        recovery = silent ? firstHalf : 0;
        double kept = silent && !measured ? KEPT_WHEN_NEVER_MEASURED : KEPT_AFTER_DROPS;
        return cut(silent ? Cause.SILENCE : Cause.DROPS, kept * level, now, took, reason);
    }

    private Cut forDeadline(long now, int permits, double typicalNanos, double allowedNanos) {
        String reason = "attempts with %d in flight took %s, and half of the deadline is %s"
                .formatted(permits, Durations.format((long) typicalNanos), Durations.format((long) allowedNanos));
        double next = permits * Math.max(MIN_KEPT_FOR_DEADLINE, TARGET_TIME * allowedNanos / typicalNanos);
        return cut(Cause.DEADLINE, next, now, (long) (1.5 * typicalNanos), reason);
    }

    private Cut cut(Cause why, double next, long now, long settleNanos, String reason) {
        noCutBefore = now + Math.max(settleNanos, MIN_INTERVAL_NANOS);
        return new Cut(why, next, settleNanos, reason);
    }

    /** Discards the counts: they are of attempts at another limit. */
    void clear() {
        answered = 0;
        dropped = 0;
        droppedNanos = 0;
    }

    /** The next number of permits while the target answers again; unchanged when there is nothing to recover. */
    int recover(int permits, LoadSample sample) {
        if (isSettling(sample.to()) || permits >= recovery || sample.answered() == 0 || sample.dropped() > 0) {
            return permits;
        }
        return (int) Math.max(permits, Math.min(recovery, (double) permits + sample.answered()));
    }

    /** The limit to recover to; 0 when there is nothing to recover. */
    double recovery() {
        return recovery;
    }

    /** Why the limit grows again: one sentence. */
    String recoveryReason() {
        return "the target answers again: growing to %.0f, half of the earlier limit".formatted(recovery);
    }

    /** Throughput was measured again: there is nothing left to recover. */
    void endRecovery() {
        recovery = 0;
        firstHalf = 0;
    }
}
