package dev.penstock.limit;

/**
 * The attempts that finished in a short sampling interval. Times of attempts exclude the wait for a permit.
 *
 * @param from the reading of the ticker at the start of the interval, in nanoseconds
 * @param to the reading at its end; later than {@code from}
 * @param answered the number of attempts closed as {@link Permit.Outcome#SUCCESS}
 * @param answeredNanos the sum of their times
 * @param dropped the number closed as {@link Permit.Outcome#DROPPED}
 * @param droppedNanos the sum of their times
 * @param failed the number closed as {@link Permit.Outcome#FAILED}
 * @param failedNanos the sum of their times
 * @param ignored the number closed as {@link Permit.Outcome#IGNORED}
 * @param inFlight the number of permits held at the end of the interval
 * @param idleNanos the sum of the times that permits were held before their calls began, because the calling thread first had
 *     to wake up or to get a processor; counted when the call has ended
 * @param refused the number of requests in this interval that found no permit free: they waited or were rejected
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
    /** A sample without attempts closed as {@link Permit.Outcome#FAILED}. */
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

    /** The same counts for another interval and another number in flight. */
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

    /** The sum of this sample and a later one, with a given number in flight at the end. */
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

    /** The total time that permits were held by the attempts answered or dropped in this interval. */
    long permitNanos() {
        return answeredNanos + droppedNanos + idleNanos;
    }
}
