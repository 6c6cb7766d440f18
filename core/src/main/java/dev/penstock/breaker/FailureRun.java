package dev.penstock.breaker;

/**
 * The calls that failed since the target answered last. Pure: each failure makes a new one. An answer ends a run without being
 * noted here: the next failure sees it by the count of answers. So does a pause of 10 s without a failure: what failed before is
 * no longer recent.
 *
 * @param answers how many answers there had been when it began
 * @param failures how many calls have failed in it; 0 for none yet
 * @param unconnected how many of them, in a row up to now, could not connect
 * @param since the reading of the ticker at its first failure; no meaning when there is none
 * @param last that at its last failure
 */
record FailureRun(long answers, int failures, int unconnected, long since, long last) {
    static final long RECENT_NANOS = 10_000_000_000L;

    /** Before the first failure. */
    static final FailureRun NONE = new FailureRun(0, 0, 0, 0, 0);

    /**
     * One more call has failed.
     *
     * @param couldNotConnect whether it could not connect
     * @param answersNow how many answers there have been
     * @param now the reading of the ticker
     */
    FailureRun next(boolean couldNotConnect, long answersNow, long now) {
        int row = couldNotConnect ? 1 : 0;
        if (failures == 0 || answersNow != answers || now - last > RECENT_NANOS) {
            return new FailureRun(answersNow, 1, row, now, now);
        }
        return new FailureRun(answers, failures + 1, couldNotConnect ? unconnected + 1 : 0, since, now);
    }

    /** For how long it has lasted. */
    long nanos(long now) {
        return now - since;
    }
}
