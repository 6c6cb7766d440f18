package dev.penstock.breaker;

import org.jspecify.annotations.Nullable;

/** What a breaker does with the next call. Immutable; each change makes a new one. */
sealed interface BreakerState {
    /** Which spell of this state it is: a call counts only in the spell in which it was let through. */
    long spell();

    /** The word for it in output. */
    String word();

    /**
     * Calls pass.
     *
     * @param run the failures since the last answer
     * @param failingSince since when too large a share of the calls has failed; null while it does not
     */
    record Closed(long spell, FailureRun run, @Nullable Long failingSince) implements BreakerState {
        /** With nothing held against the target. */
        static Closed fresh(long spell) {
            return new Closed(spell, FailureRun.NONE, null);
        }

        @Override
        public String word() {
            return "closed";
        }
    }

    /**
     * Calls are rejected.
     *
     * @param until the reading at which trial calls may begin
     * @param openNanos how long this spell lasts; the next one after failed trials lasts twice as long
     * @param answersBefore how many answers there had been, when the lack of answers opened it; otherwise null
     * @param reason what opened it, with its numbers
     */
    record Open(
            long spell,
            long until,
            long openNanos,
            @Nullable Long answersBefore,
            String reason) implements BreakerState {
        @Override
        public String word() {
            return "open";
        }
    }

    /**
     * A few trial calls pass.
     *
     * @param trialsOut how many trial calls are under way
     * @param answered how many were answered
     * @param failed how many failed
     * @param openNanos how long the spell before lasted, or twice that each time trial calls were forgotten
     * @param giveUpAt the reading at which trial calls that never ended are forgotten
     */
    record HalfOpen(long spell, int trialsOut, int answered, int failed, long openNanos, long giveUpAt)
            implements BreakerState {
        /** How many trial calls there were, those under way included. */
        int trials() {
            return trialsOut + answered + failed;
        }

        @Override
        public String word() {
            return "half-open";
        }
    }
}
