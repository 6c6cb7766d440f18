package dev.penstock.limit;

/**
 * What the attempts that finished in a short stretch of time came to. Times of attempts are those at the target, without
 * the wait for a permit.
 *
 * @param from the reading of the ticker at which the stretch began, in nanoseconds
 * @param to the reading at which it ended; later than {@code from}
 * @param answered how many attempts were closed as {@link Permit.Outcome#SUCCESS}
 * @param answeredNanos the sum of their times
 * @param dropped how many were closed as {@link Permit.Outcome#DROPPED}
 * @param droppedNanos the sum of their times
 * @param failed how many were closed as {@link Permit.Outcome#FAILED}
 * @param failedNanos the sum of their times
 * @param ignored how many were closed as {@link Permit.Outcome#IGNORED}
 * @param inFlight how many permits were out at the end of the stretch
 * @param idleNanos the sum of the times for which permits were out before their calls began, as the thread that was to call
 *     had to wake up, or to get a processor, first; counted when the call has ended
 * @param refused how many came in this stretch and found no permit free: they waited, or were rejected
 */
public record LoadSample(
        long from,
        long to,
        long answered,
        long answeredNanos,
        long dropped,
        long droppedNanos,
        long failed,
        long failedNanos,
        long ignored,
        int inFlight,
        long idleNanos,
        long refused) {
    /** A stretch in which no attempt was closed as {@link Permit.Outcome#FAILED}. */
    public LoadSample(
            long from,
            long to,
            long answered,
            long answeredNanos,
            long dropped,
            long droppedNanos,
            long ignored,
            int inFlight,
            long idleNanos,
            long refused) {
        this(from, to, answered, answeredNanos, dropped, droppedNanos, 0, 0, ignored, inFlight, idleNanos, refused);
    }

    /** The same counts for another stretch, with so many permits out at its end. */
    LoadSample during(long start, long end, int out) {
        return new LoadSample(
                start,
                end,
                answered,
                answeredNanos,
                dropped,
                droppedNanos,
                failed,
                failedNanos,
                ignored,
                out,
                idleNanos,
                refused);
    }

    /** The sum of this one and one that came later, with so many permits out at the end. */
    LoadSample plus(LoadSample later, int out) {
        return new LoadSample(
                from,
                Math.max(to, later.to),
                answered + later.answered,
                answeredNanos + later.answeredNanos,
                dropped + later.dropped,
                droppedNanos + later.droppedNanos,
                failed + later.failed,
                failedNanos + later.failedNanos,
                ignored + later.ignored,
                out,
                idleNanos + later.idleNanos,
                refused + later.refused);
    }

    /** The sum of the times for which permits were out for what is answered or dropped by now. */
    long heldNanos() {
        return answeredNanos + droppedNanos + idleNanos;
    }
}
