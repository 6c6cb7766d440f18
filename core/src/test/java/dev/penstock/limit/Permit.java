package dev.penstock.limit;

import dev.penstock.CallContext;
import dev.penstock.Rejected;
import dev.penstock.limit.LimitController.Outcome;
import org.jspecify.annotations.Nullable;

/** A permit that a test takes by hand, as a filter does for a call, and releases once. */
record Permit(
        Limit limit, CallContext callContext, @Nullable Turn turn, long start) {
    static Permit of(Limit limit) throws Rejected {
        CallContext callContext = CallContext.begin(limit.ticker);
        try {
            long start = limit.acquire(null, callContext);
            return new Permit(limit, callContext, limit.begin(start), start);
        } finally {
            callContext.end();
        }
    }

    void success() {
        release(Outcome.SUCCESS);
    }

    void dropped() {
        release(Outcome.DROPPED);
    }

    void failed() {
        release(Outcome.FAILED);
    }

    void ignored() {
        release(Outcome.IGNORED);
    }

    private void release(Outcome outcome) {
        callContext.tick();
        limit.unanswered(turn, start, callContext, outcome);
    }
}
