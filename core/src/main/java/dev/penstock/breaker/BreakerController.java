package dev.penstock.breaker;

import dev.penstock.Durations;
import dev.penstock.breaker.BreakerState.Closed;
import dev.penstock.breaker.BreakerState.HalfOpen;
import dev.penstock.breaker.BreakerState.Open;

/**
 * Decides whether a breaker opens and closes. Pure: a state, what happened and a time go in, the next state comes out.
 *
 * @param connectFailures how many connect failures in a row open it
 * @param failureShare which share of the recent calls has to fail for it to open, 0 to 1
 * @param fewestCalls how many recent calls there must be before a share means anything
 * @param openNanos how long it stays open at first
 * @param longestNanos how long it stays open at the most
 * @param trials how many trial calls may be under way at once, and how many answers close it
 */
record BreakerController(
        int connectFailures, double failureShare, int fewestCalls, long openNanos, long longestNanos, int trials) {

    /** What happened lately, as far as it matters for opening. */
    record Tally(int connectFailuresInRow, long failures, long calls) {}

    /** The state in which a call that comes now is let through or rejected. */
    BreakerState admit(BreakerState state, long now) {
        return switch (state) {
            case Closed closed -> closed;
            case Open open when now - open.until() < 0 -> open;
            case Open open -> new HalfOpen(open.spell() + 1, 1, 0, open.openNanos(), now + open.openNanos());
            case HalfOpen half
            when half.trialsOut() < trials -> withTrials(half, half.trialsOut() + 1, half.answered());
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
            case HalfOpen half when half.answered() + 1 >= trials -> new Closed(half.spell() + 1);
            case HalfOpen half -> withTrials(half, half.trialsOut() - 1, half.answered() + 1);
            case Closed closed -> closed;
            case Open open -> open;
        };
    }

    /** The state after a call of the current spell failed. */
    BreakerState afterFailure(BreakerState state, Tally tally, long now) {
        return switch (state) {
            case Closed closed -> whenClosed(closed, tally, now);
            case HalfOpen half -> reopened(half, now);
            case Open open -> open;
        };
    }

    /** The state after a call of the current spell ended in a way that says nothing about the target. */
    BreakerState afterNothing(BreakerState state) {
        return state instanceof HalfOpen half ? withTrials(half, half.trialsOut() - 1, half.answered()) : state;
    }

    private BreakerState whenClosed(Closed closed, Tally tally, long now) {
        if (tally.connectFailuresInRow() >= connectFailures) {
            return open(closed, now, "%d calls in a row could not connect".formatted(tally.connectFailuresInRow()));
        }
        if (tally.calls() >= fewestCalls && tally.failures() >= failureShare * tally.calls()) {
            return open(closed, now, "%d of the last %d calls failed".formatted(tally.failures(), tally.calls()));
        }
        return closed;
    }

    private Open open(Closed closed, long now, String reason) {
        return new Open(closed.spell() + 1, now + openNanos, openNanos, reason);
    }

    private Open reopened(HalfOpen half, long now) {
        long longer = longer(half);
        String reason = "a trial call failed after %s".formatted(Durations.words(half.openNanos()));
        return new Open(half.spell() + 1, now + longer, longer, reason);
    }

    /** Waits for these trial calls twice as long, so that those to a slow target are answered while they still count. */
    private HalfOpen trialsAnew(HalfOpen half, long now) {
        long longer = longer(half);
        return new HalfOpen(half.spell() + 1, 1, 0, longer, now + longer);
    }

    private long longer(HalfOpen half) {
        return Math.min(longestNanos, 2 * half.openNanos());
    }

    private static HalfOpen withTrials(HalfOpen half, int trialsOut, int answered) {
        return new HalfOpen(half.spell(), trialsOut, answered, half.openNanos(), half.giveUpAt());
    }
}
