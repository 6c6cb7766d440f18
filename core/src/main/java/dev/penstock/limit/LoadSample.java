package dev.penstock.limit;

/**
 * The attempts that finished in a short sampling interval. Times of attempts exclude the wait for a permit.
 *
 * @param from the reading of the ticker at the start of the interval, in nanoseconds
 * @param to the reading at its end; later than {@code from}
 * @param answered the number of attempts released as {@link LimitController.Outcome#SUCCESS}
 * @param answeredNanos the sum of their times
 * @param dropped the number released as {@link LimitController.Outcome#DROPPED}
 * @param droppedNanos the sum of their times
 * @param failed the number released as {@link LimitController.Outcome#FAILED}
 * @param failedNanos the sum of their times
 * @param inFlight the number of permits held at the end of the interval
 * @param idleNanos the sum of the times that permits were held before their calls began, because the calling thread first had
 *     to wake up or to get a processor; counted when the call has ended
 * @param blocked the number of requests in this interval that found no permit free: they waited or were rejected
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
        int inFlight,
        long idleNanos,
        long blocked) {
    /** A sample that begins at a time, without attempts. */
    static LoadSample emptyFrom(long now) {
        return new LoadSample(now, now, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** The sum of this sample and a later one, with a given number in flight at the end. */
    LoadSample plus(LoadSample later, int out) {
        return combine(later, 1, from, later.to - to > 0 ? later.to : to, out);
    }

    /** The difference of total counts: the sample from the end of the earlier totals to the end of these. */
    LoadSample since(LoadSample earlier) {
        return combine(earlier, -1, earlier.to, to, inFlight);
    }

    private LoadSample combine(LoadSample other, int sign, long start, long end, int out) {
        return new LoadSample(
                start,
                end,
                answered + sign * other.answered,
                answeredNanos + sign * other.answeredNanos,
                dropped + sign * other.dropped,
                droppedNanos + sign * other.droppedNanos,
                failed + sign * other.failed,
                failedNanos + sign * other.failedNanos,
                out,
                idleNanos + sign * other.idleNanos,
                blocked + sign * other.blocked);
    }

    /** The total time that permits were held by the attempts answered or dropped in this interval. */
    long permitNanos() {
        return answeredNanos + droppedNanos + idleNanos;
    }
}
