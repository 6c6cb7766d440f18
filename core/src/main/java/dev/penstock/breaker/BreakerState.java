package dev.penstock.breaker;

import org.jspecify.annotations.Nullable;

/** The state of a breaker. Immutable. */
sealed interface BreakerState {
    /** Increases with each change of state: a call only counts in the epoch in which it was admitted. */
    long epoch();

    /** The name in output. */
    String label();

    /**
     * Calls pass.
     *
     * @param run the failures since the last answer
     * @param failingSince since when the failure share has been reached; null while it is not
     */
    record Closed(long epoch, FailureRun run, @Nullable Long failingSince) implements BreakerState {
        /** Without failures. */
        static Closed fresh(long epoch) {
            return new Closed(epoch, FailureRun.NONE, null);
        }

        @Override
        public String label() {
            return "closed";
        }
    }

    /**
     * Calls are rejected.
     *
     * @param until the reading at which trial calls may begin
     * @param openNanos how long it is open; the next time, after failed trial calls, twice as long
     * @param answersBefore the number of answers when a lack of answers opened it; otherwise null
     * @param reason what opened it, with numbers
     */
    record Open(
            long epoch,
            long until,
            long openNanos,
            @Nullable Long answersBefore,
            String reason) implements BreakerState {
        @Override
        public String label() {
            return "open";
        }
    }

    /**
     * A few trial calls pass.
     *
     * @param trialsInFlight the number of trial calls in flight
     * @param answered the number answered
     * @param failed the number failed
     * @param openNanos how long it was open before, doubled each time unfinished trial calls were ignored
     * @param giveUpAt the reading at which unfinished trial calls are ignored
     */
    record HalfOpen(long epoch, int trialsInFlight, int answered, int failed, long openNanos, long giveUpAt)
            implements BreakerState {
        /** The number of trial calls, including those in flight. */
        int trials() {
            return trialsInFlight + answered + failed;
        }

        @Override
        public String label() {
            return "half-open";
        }
    }
}
