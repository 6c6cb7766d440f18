package dev.penstock.breaker;

import dev.penstock.Durations;
import dev.penstock.breaker.BreakerState.Closed;
import dev.penstock.breaker.BreakerState.HalfOpen;
import dev.penstock.breaker.BreakerState.Open;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a breaker opens and closes. Pure: a state, what happened and a time go in, the next state comes out.
 *
 * <h2>Design note</h2>
 *
 * <p>An open breaker rejects what might have been answered, so each rule for opening asks for more than a bad moment.
 *
 * <ol>
 *   <li><b>None is answered</b>: {@code fewestCalls} calls in a row failed, or {@code connectFailures} in a row could not connect,
 *       and no answer came for {@link #LASTING_NANOS}. A count alone is no measure: with hundreds of callers, ten fail within a
 *       millisecond while a server restarts or a balancer moves on. An answer ends the row, so a target that fails at random
 *       seldom has a long one: of 60 % failures, one row in 27,000 is as long as 20.
 *   <li><b>Most fail</b>: {@code failureShare} of at least {@code fewestCalls} calls of the last 10 s, the same share of those of
 *       the last second, and both again for {@link #LASTING_NANOS}. When all connections are cut at once, what was out
 *       fails within one moment and outnumbers what was answered lately; a second later it is over. Without the look at the
 *       last second, a stray failure after such a moment would open it, while everything is well.
 *       A target that still answers one call in ten is of more use than none.
 *   <li><b>Silence</b>: {@code fewestCalls} or more calls have been out all the time and not one answer came for {@link
 *       #SILENT_TIMES} times the mean answer time of late, and {@link #SILENT_NANOS} at least. Calls into a blackhole do not
 *       fail before their deadline, so the rules above are blind until all callers have waited in vain. The floor is more than
 *       what a lost packet costs that is sent again three times (0.2 + 0.4 + 0.8 s, RFC 6298 with a usual least timeout),
 *       and than most pauses and failovers. As long as no answer time is known nothing is a silence: the first calls to a slow
 *       target look just like it.
 * </ol>
 *
 * <p>A lack of answers may have been a pause, and the calls that are out tell when it is over: as many answers as there are
 * trial calls close the breaker before its time.
 *
 * <p>It stays open for a short time at first, 1 s by default, and twice as long each time that the trial calls fail, up to
 * 60 s: most outages are short, and trials cost next to nothing. Trial calls are held to the same share as all others: {@code
 * failureShare} of them has to fail to open it again. A single failure would keep it from a target that fails at random, for
 * minutes. Trial calls that do not end are forgotten after the time for which it was open, and
 * as many again are let through, for twice that time: a target that answers slowly must be able to close it, and a trial
 * that is lost must not keep it shut for good.
 *
 * @param connectFailures how many connect failures in a row, without an answer, open it
 * @param failureShare which share of the recent calls has to fail for it to open, 0 to 1
 * @param fewestCalls how many recent calls there must be before a share means anything, how many failures in a row open it, and
 *     how many must be out before a silence means anything
 * @param openNanos how long it stays open at first
 * @param longestNanos how long it stays open at the most
 * @param trials how many trial calls decide whether it closes
 */
record BreakerController(
        int connectFailures, double failureShare, int fewestCalls, long openNanos, long longestNanos, int trials) {

    /** How long failures must go on: 1 s. */
    static final long LASTING_NANOS = 1_000_000_000L;

    /** The shortest silence that opens it: 2 s. */
    static final long SILENT_NANOS = 2_000_000_000L;

    /** How many times the mean answer time a silence must last. */
    static final int SILENT_TIMES = 5;

    /** How many calls failed, of how many, in some stretch of time. */
    record Share(long failures, long calls) {
        boolean reaches(double share) {
            return calls > 0 && failures >= share * calls;
        }
    }

    /**
     * What happened lately, as far as it matters for opening.
     *
     * @param recent in the last 10 s
     * @param latest in the last second
     * @param answers how many answers there have been so far
     */
    record Tally(Share recent, Share latest, long answers) {}

    /**
     * The state in which a call that comes now is let through or rejected.
     *
     * @param answers how many answers the target has given so far
     */
    BreakerState admit(BreakerState state, long answers, long now) {
        return switch (state) {
            case Closed closed -> closed;
            case Open open when speaksAgain(open.answersBefore(), answers) -> Closed.fresh(open.spell() + 1);
            case Open open when now - open.until() < 0 -> open;
            case Open open -> new HalfOpen(open.spell() + 1, 1, 0, 0, open.openNanos(), now + open.openNanos());
            case HalfOpen half when half.trials() < trials -> oneMoreTrial(half, now);
            case HalfOpen half when now - half.giveUpAt() >= 0 -> trialsAnew(half, now);
            case HalfOpen half -> half;
        };
    }

    /** Whether the step from one state to the one that {@link #admit} made of it lets the call through. */
    boolean letsThrough(BreakerState before, BreakerState after) {
        return switch (after) {
            case Closed closed -> true;
            case Open open -> false;
            case HalfOpen half -> !half.equals(before);
        };
    }

    /** The state after a call of the current spell was answered. */
    BreakerState afterAnswer(BreakerState state) {
        return switch (state) {
            case HalfOpen half
            when !new Share(trials - half.answered() - 1, trials).reaches(failureShare) ->
                Closed.fresh(half.spell() + 1);
            case HalfOpen half -> withTrials(half, half.trialsOut() - 1, half.answered() + 1, half.failed());
            case Closed closed -> closed;
            case Open open -> open;
        };
    }

    /**
     * The state after a call of the current spell failed.
     *
     * @param unconnected whether it could not connect
     * @param tally what happened lately, this call included
     */
    BreakerState afterFailure(BreakerState state, boolean unconnected, Tally tally, long now) {
        return switch (state) {
            case Closed closed -> whenClosed(closed, unconnected, tally, now);
            case HalfOpen half when new Share(half.failed() + 1, trials).reaches(failureShare) -> reopened(half, now);
            case HalfOpen half -> withTrials(half, half.trialsOut() - 1, half.answered(), half.failed() + 1);
            case Open open -> open;
        };
    }

    /** The state after a call of the current spell ended in a way that says nothing about the target. */
    BreakerState afterNothing(BreakerState state) {
        return state instanceof HalfOpen half
                ? withTrials(half, half.trialsOut() - 1, half.answered(), half.failed())
                : state;
    }

    /** Whether so many calls out are enough for a silence. */
    boolean areMany(long out) {
        return out >= fewestCalls;
    }

    /**
     * The state after a look at a silence.
     *
     * @param typicalNanos the mean answer time of late; 0 when none is known
     * @param out how many calls are out
     */
    BreakerState afterSilence(BreakerState state, NoAnswer silence, long typicalNanos, long out, long now) {
        long silent = silence.nanos(now);
        if (!(state instanceof Closed closed)
                || typicalNanos <= 0
                || silent < Math.max(SILENT_NANOS, SILENT_TIMES * typicalNanos)) {
            return state;
        }
        String reason = "%d calls are out and none was answered for %s, where answers took %s"
                .formatted(out, Durations.words(silent), Durations.words(typicalNanos));
        return new Open(closed.spell() + 1, now + openNanos, openNanos, silence.answers(), reason);
    }

    private boolean speaksAgain(@Nullable Long before, long answers) {
        return before != null && answers - before >= trials;
    }

    private BreakerState whenClosed(Closed closed, boolean unconnected, Tally tally, long now) {
        FailureRun run = closed.run().next(unconnected, tally.answers(), now);
        if (run.nanos(now) >= LASTING_NANOS && isDead(run)) {
            return open(
                    closed,
                    now,
                    run.answers(),
                    run.unconnected() >= connectFailures ? unconnected(run, now) : failed(run, now));
        }
        Long failingSince = isFailing(tally) ? earlier(closed.failingSince(), now) : null;
        if (failingSince != null && now - failingSince >= LASTING_NANOS) {
            Share recent = tally.recent();
            return open(
                    closed, now, null, "%d of the last %d calls failed".formatted(recent.failures(), recent.calls()));
        }
        return new Closed(closed.spell(), run, failingSince);
    }

    private boolean isDead(FailureRun run) {
        return run.unconnected() >= connectFailures || run.failures() >= fewestCalls;
    }

    private static String unconnected(FailureRun run, long now) {
        return "%d calls in a row could not connect, for %s"
                .formatted(run.unconnected(), Durations.words(run.nanos(now)));
    }

    private static String failed(FailureRun run, long now) {
        return "%d calls in a row failed and none was answered for %s"
                .formatted(run.failures(), Durations.words(run.nanos(now)));
    }

    private boolean isFailing(Tally tally) {
        return tally.recent().calls() >= fewestCalls
                && tally.recent().reaches(failureShare)
                && tally.latest().reaches(failureShare);
    }

    private static Long earlier(@Nullable Long since, long now) {
        return since == null ? now : since;
    }

    private Open open(Closed closed, long now, @Nullable Long answersBefore, String reason) {
        return new Open(closed.spell() + 1, now + openNanos, openNanos, answersBefore, reason);
    }

    private Open reopened(HalfOpen half, long now) {
        long longer = longer(half);
        String reason = "%d of %d trial calls failed after %s"
                .formatted(half.failed() + 1, half.failed() + 1 + half.answered(), Durations.words(half.openNanos()));
        return new Open(half.spell() + 1, now + longer, longer, null, reason);
    }

    /** Waits for these trial calls twice as long, so that those to a slow target are answered while they still count. */
    private HalfOpen trialsAnew(HalfOpen half, long now) {
        long longer = longer(half);
        return new HalfOpen(half.spell() + 1, 1, 0, 0, longer, now + longer);
    }

    private long longer(HalfOpen half) {
        return Math.min(longestNanos, 2 * half.openNanos());
    }

    private static HalfOpen oneMoreTrial(HalfOpen half, long now) {
        return new HalfOpen(
                half.spell(),
                half.trialsOut() + 1,
                half.answered(),
                half.failed(),
                half.openNanos(),
                now + half.openNanos());
    }

    private static HalfOpen withTrials(HalfOpen half, int trialsOut, int answered, int failed) {
        return new HalfOpen(half.spell(), trialsOut, answered, failed, half.openNanos(), half.giveUpAt());
    }
}
