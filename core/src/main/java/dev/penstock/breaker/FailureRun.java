package dev.penstock.breaker;

/**
 * The consecutive failures since the last answer. Immutable. An answer ends a run, and so does a pause of 10 s without a
 * failure. Answers are not recorded here: the next failure detects them by the number of answers.
 *
 * @param answers the number of answers when the run began
 * @param failures the number of failed calls; 0 for none
 * @param unconnected how many of the latest failures in a row could not connect
 * @param since the reading of the ticker at the first failure; undefined when there is none
 * @param last the reading at the last failure
 */
record FailureRun(long answers, int failures, int unconnected, long since, long last) {
    static final long RECENT_NANOS = 10_000_000_000L;

    /** Before the first failure. */
    static final FailureRun NONE = new FailureRun(0, 0, 0, 0, 0);

    /**
     * The run after another failed call.
     *
     * @param couldNotConnect whether it could not connect
     * @param answersNow the number of answers so far
     * @param now the reading of the ticker
     */
    FailureRun next(boolean couldNotConnect, long answersNow, long now) {
        int row = couldNotConnect ? 1 : 0;
        if (failures == 0 || answersNow != answers || now - last > RECENT_NANOS) {
            return new FailureRun(answersNow, 1, row, now, now);
        }
        return new FailureRun(answers, failures + 1, couldNotConnect ? unconnected + 1 : 0, since, now);
    }

    /** The duration of the run. */
    long nanos(long now) {
        return now - since;
    }
}
