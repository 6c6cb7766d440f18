package dev.penstock.breaker;

import dev.penstock.BreakerSettings;
import dev.penstock.breaker.BreakerState.Closed;
import dev.penstock.breaker.BreakerState.HalfOpen;
import dev.penstock.breaker.BreakerState.Open;
import dev.penstock.text.Durations;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a breaker opens and closes. Stateless: computes the next state from a state, an event and a time.
 *
 * <h2>Design note</h2>
 *
 * <p>An open breaker rejects calls that might have been answered, so each rule for opening requires more than a short burst
 * of failures.
 *
 * <ol>
 *   <li><b>Consecutive failures</b>: {@code fewestCalls} calls in a row failed, or {@code connectFailures} in a row could not
 *       connect, and no answer came for {@link #LASTING_NANOS}. A count alone is not enough: with hundreds of callers, ten calls
 *       fail within a millisecond while a server restarts or a load balancer fails over. An answer ends the run, so a target
 *       that fails at random seldom has a long one: with 60 % failures, one run in 27,000 is as long as 20.
 *   <li><b>Failure share</b>: {@code failureShare} of at least {@code fewestCalls} calls of the last 10 s and the same share of
 *       those of the last second failed, and this lasts for {@link #LASTING_NANOS}. When all connections are closed at once,
 *       the calls in flight fail together and outnumber the recent answers; a second later this is over. Without the check of
 *       the last second, a single failure after such a burst would open the breaker although the target is well. A target
 *       that still answers one call in ten is more useful than none.
 *   <li><b>No answers</b>: at least {@code fewestCalls} calls have been in flight all the time, and no answer came for {@link
 *       #SILENT_TIMES} times the recent mean answer time, and for at least {@link #SILENT_NANOS}. Calls into a blackhole do
 *       not fail before their deadline, so the rules above do not apply until all callers have timed out. The minimum is more
 *       than three retransmissions of a lost packet take (0.2 + 0.4 + 0.8 s, RFC 6298 with a common minimum timeout), and more
 *       than most pauses and failovers. The rule needs a known answer time: without one, the first calls to a slow target look
 *       the same.
 * </ol>
 *
 * <p>A lack of answers may have been a pause, and the calls in flight show when it is over: as many answers as there are trial
 * calls close the breaker early.
 *
 * <p>The breaker stays open for a short time at first, 1 s by default, and twice as long each time the trial calls fail, up to
 * 60 s: most outages are short, and trial calls are cheap. The same share applies to trial calls: {@code failureShare} of them
 * must fail to open it again. If a single failure did so, a target that fails at random would stay cut off for minutes. Trial
 * calls that do not end are ignored after the time for which the breaker was open, and the same number is admitted again, for
 * twice that time: a slow target must be able to close the breaker, and a lost trial call must not keep it open forever.
 *
 * @param connectFailures the number of consecutive connect failures, without an answer, that opens it
 * @param failureShare the share of recent calls that must fail to open it, 0 to 1
 * @param fewestCalls the minimum number of recent calls for the failure share, the number of consecutive failures that opens
 *     it, and the minimum number of calls in flight for a lack of answers
 * @param openNanos how long it stays open at first
 * @param longestNanos the longest time it stays open
 * @param trials the number of trial calls that decide whether it closes
 */
record BreakerController(
        int connectFailures, double failureShare, int fewestCalls, long openNanos, long longestNanos, int trials) {

    /** How long failures must last: 1 s. */
    static final long LASTING_NANOS = 1_000_000_000L;

    /** The shortest time without an answer that opens it: 2 s. */
    static final long SILENT_NANOS = 2_000_000_000L;

    /** The time without an answer that opens it, as a multiple of the mean answer time. */
    static final int SILENT_TIMES = 5;

    private static final long LONGEST_OPEN_NANOS = 60_000_000_000L;

    static BreakerController of(BreakerSettings settings) {
        long open = settings.openFor().toNanos();
        return new BreakerController(
                settings.connectFailures(),
                settings.failureShare(),
                settings.fewestCalls(),
                open,
                Math.max(open, LONGEST_OPEN_NANOS),
                settings.trials());
    }

    /** The number of failed calls and of all calls in a period. */
    record Share(long failures, long calls) {
        boolean reaches(double share) {
            return calls > 0 && failures >= share * calls;
        }
    }

    /**
     * The recent calls.
     *
     * @param recent in the last 10 s
     * @param latest in the last second
     * @param answers the number of answers so far
     */
    record Tally(Share recent, Share latest, long answers) {}

    /**
     * The state after a new call was admitted or rejected; see {@link #admits}.
     *
     * @param answers the number of answers so far
     */
    BreakerState admit(BreakerState state, long answers, long now) {
        return switch (state) {
            case Closed closed -> closed;
            case Open open when answersResumed(open.answersBefore(), answers) -> Closed.fresh(open.epoch() + 1);
            case Open open when now - open.until() < 0 -> open;
            case Open open -> new HalfOpen(open.epoch() + 1, 1, 0, 0, open.openNanos(), now + open.openNanos());
            case HalfOpen half when half.trials() < trials -> oneMoreTrial(half, now);
            case HalfOpen half when now - half.giveUpAt() >= 0 -> restartTrials(half, now);
            case HalfOpen half -> half;
        };
    }

    /** Whether {@link #admit} admitted the call when it changed the state from {@code before} to {@code after}. */
    boolean admits(BreakerState before, BreakerState after) {
        return switch (after) {
            case Closed closed -> true;
            case Open open -> false;
            case HalfOpen half -> !half.equals(before);
        };
    }

    /** The state after a call of the current epoch was answered. */
    BreakerState afterAnswer(BreakerState state) {
        return switch (state) {
            case HalfOpen half
            when !new Share(trials - half.answered() - 1, trials).reaches(failureShare) ->
                Closed.fresh(half.epoch() + 1);
            case HalfOpen half -> withTrials(half, half.trialsInFlight() - 1, half.answered() + 1, half.failed());
            case Closed closed -> closed;
            case Open open -> open;
        };
    }

    /**
     * The state after a call of the current epoch failed.
     *
     * @param unconnected whether it could not connect
     * @param tally the recent calls, including this one
     */
    BreakerState afterFailure(BreakerState state, boolean unconnected, Tally tally, long now) {
        return switch (state) {
            case Closed closed -> whenClosed(closed, unconnected, tally, now);
            case HalfOpen half when new Share(half.failed() + 1, trials).reaches(failureShare) -> reopened(half, now);
            case HalfOpen half -> withTrials(half, half.trialsInFlight() - 1, half.answered(), half.failed() + 1);
            case Open open -> open;
        };
    }

    /** The state after a call of the current epoch ended in a way that does not show whether the target is alive. */
    BreakerState afterIgnored(BreakerState state) {
        return state instanceof HalfOpen half
                ? withTrials(half, half.trialsInFlight() - 1, half.answered(), half.failed())
                : state;
    }

    /** Whether enough calls are in flight for the lack of answers to count. */
    boolean isEnoughForSilence(long out) {
        return out >= fewestCalls;
    }

    /**
     * The state after a check for a lack of answers.
     *
     * @param typicalNanos the recent mean answer time; 0 when not known
     * @param out the number of calls in flight
     */
    BreakerState afterCheck(BreakerState state, NoAnswer silence, long typicalNanos, long out, long now) {
        long silent = silence.nanos(now);
        if (!(state instanceof Closed closed)
                || typicalNanos <= 0
                || silent < Math.max(SILENT_NANOS, SILENT_TIMES * typicalNanos)) {
            return state;
        }
        String reason = "%d calls are in flight and none was answered for %s; answers took %s before"
                .formatted(out, Durations.format(silent), Durations.format(typicalNanos));
        return new Open(closed.epoch() + 1, now + openNanos, openNanos, silence.answers(), reason);
    }

    private boolean answersResumed(@Nullable Long before, long answers) {
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
        return new Closed(closed.epoch(), run, failingSince);
    }

    private boolean isDead(FailureRun run) {
        return run.unconnected() >= connectFailures || run.failures() >= fewestCalls;
    }

    private static String unconnected(FailureRun run, long now) {
        return "%d calls in a row could not connect, for %s"
                .formatted(run.unconnected(), Durations.format(run.nanos(now)));
    }

    private static String failed(FailureRun run, long now) {
        return "%d calls in a row failed and none was answered for %s"
                .formatted(run.failures(), Durations.format(run.nanos(now)));
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
        return new Open(closed.epoch() + 1, now + openNanos, openNanos, answersBefore, reason);
    }

    private Open reopened(HalfOpen half, long now) {
        long longer = longer(half);
        String reason = "%d of %d trial calls failed after %s"
                .formatted(half.failed() + 1, half.failed() + 1 + half.answered(), Durations.format(half.openNanos()));
        return new Open(half.epoch() + 1, now + longer, longer, null, reason);
    }

    /** Waits twice as long for the new trial calls, so that those to a slow target are answered while they still count. */
    private HalfOpen restartTrials(HalfOpen half, long now) {
        long longer = longer(half);
        return new HalfOpen(half.epoch() + 1, 1, 0, 0, longer, now + longer);
    }

    private long longer(HalfOpen half) {
        return Math.min(longestNanos, 2 * half.openNanos());
    }

    private static HalfOpen oneMoreTrial(HalfOpen half, long now) {
        return new HalfOpen(
                half.epoch(),
                half.trialsInFlight() + 1,
                half.answered(),
                half.failed(),
                half.openNanos(),
                now + half.openNanos());
    }

    private static HalfOpen withTrials(HalfOpen half, int trialsInFlight, int answered, int failed) {
        return new HalfOpen(half.epoch(), trialsInFlight, answered, failed, half.openNanos(), half.giveUpAt());
    }
}
