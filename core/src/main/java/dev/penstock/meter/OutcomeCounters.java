package dev.penstock.meter;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Counts how transactions end, and how long they and their attempts took.
 *
 * <h2>Design note</h2>
 *
 * <p>What is in flight is not counted but follows: offered minus ended. To read all counts as of one instant, the ended ones
 * are read twice, with the offered one in between. Counts only ever grow, so when both readings of the ended agree, none of
 * them moved in between, and the offered count read then stood beside them at one instant. When they keep moving, the
 * reading with the fewest endings in between is taken: its ended counts are from before its offered count, so each
 * transaction is still in exactly one place, and those that ended in between show as in flight.
 *
 * <p>The test of the law is thus not the sum, which holds by construction, but that in flight is never negative and
 * returns to 0: a transaction ended twice or not at all breaks one of them for good.
 *
 * <p>Nearly every transaction is answered <em>at once</em>: its attempt began when it was offered, nothing of ours was waited
 * for, and it ended with the answer. Then the attempt's time is the transaction's time, and one count says all there is to
 * say: one more was offered, one attempt was made, both were answered, both took so long. So a transaction costs two atomic
 * instructions, one at its offer and one at its end, whatever is asked of the counts later; readers add up what counts have
 * in common. Everything else is rarer, and counted apart.
 *
 * <p>Safe for many threads.
 */
@SuppressWarnings("EnumOrdinal") // an index into an array of this JVM, never stored or sent
final class OutcomeCounters {
    static final Duration RECENTLY = Duration.ofSeconds(10);

    private static final int MOST_READINGS = 64;

    private static final Rejected.Cause[] REJECTED = Rejected.Cause.values();
    private static final Failed.Cause[] FAILED = Failed.Cause.values();
    private static final Unknown.Cause[] UNKNOWN = Unknown.Cause.values();

    private static final int ANSWERED = 0;
    private static final int FIRST_REJECTED = 1;
    private static final int FIRST_FAILED = FIRST_REJECTED + REJECTED.length;
    private static final int FIRST_UNKNOWN = FIRST_FAILED + FAILED.length;
    private static final int ENDINGS = FIRST_UNKNOWN + UNKNOWN.length;

    private static final int AT_ONCE = ENDINGS;
    private static final int OFFERED = AT_ONCE + 1;
    private static final int ATTEMPT_ANSWERED = OFFERED + 1;
    private static final int ATTEMPT_UNANSWERED = ATTEMPT_ANSWERED + 1;
    private static final int ANSWERED_NANOS = ATTEMPT_UNANSWERED + 1;
    private static final int FIRST_OF_BOTH = ANSWERED_NANOS + 1;
    private static final int FIRST_OF_WAYS = FIRST_OF_BOTH + TimeBuckets.SLOTS;
    private static final int FIRST_OF_ATTEMPTS = FIRST_OF_WAYS + TimeBuckets.SLOTS;
    private static final int SLOTS = FIRST_OF_ATTEMPTS + TimeBuckets.SLOTS;

    private final StripedCounters counts = new StripedCounters(SLOTS);
    private final RecentWindow offered;

    OutcomeCounters(long now) {
        offered = new RecentWindow(RECENTLY, now, this::offered);
    }

    void offered(long now) {
        offered.look(now);
        counts.add(OFFERED);
    }

    /** A transaction was answered at once, and with it its attempt, which was not counted. */
    void answeredAtOnce(long nanos) {
        counts.addTogether(AT_ONCE, FIRST_OF_BOTH + TimeBuckets.slot(nanos), ANSWERED_NANOS, nanos);
    }

    /** A transaction was answered whose attempts were counted. */
    void answered(long nanos) {
        counts.addTogether(ANSWERED, FIRST_OF_WAYS + TimeBuckets.slot(nanos));
    }

    void ended(Unanswered ending, long nanos) {
        int slot = switch (ending) {
            case Rejected rejected -> FIRST_REJECTED + rejected.why().ordinal();
            case Failed failed -> FIRST_FAILED + failed.why().ordinal();
            case Unknown unknown -> FIRST_UNKNOWN + unknown.why().ordinal();
        };
        counts.addTogether(slot, FIRST_OF_WAYS + TimeBuckets.slot(nanos));
    }

    void attemptAnswered(long nanos) {
        counts.addTogether(ATTEMPT_ANSWERED, FIRST_OF_ATTEMPTS + TimeBuckets.slot(nanos), ANSWERED_NANOS, nanos);
    }

    void attemptUnanswered(long nanos) {
        counts.addTogether(ATTEMPT_UNANSWERED, FIRST_OF_ATTEMPTS + TimeBuckets.slot(nanos));
    }

    long offered() {
        return counts.sum(OFFERED);
    }

    long offeredRecently(long now) {
        return offered.recent(now);
    }

    double offeredPerSecond(long now) {
        return offered.perSecond(now);
    }

    long attemptsAnswered() {
        return counts.sum(ATTEMPT_ANSWERED) + counts.sum(AT_ONCE);
    }

    /** The sum of the times of the attempts that were answered. */
    long answeredNanos() {
        return counts.sum(ANSWERED_NANOS);
    }

    long attemptsEnded() {
        return attemptsAnswered() + counts.sum(ATTEMPT_UNANSWERED);
    }

    /** How long transactions took, from their offer to their ending. */
    Histogram times() {
        return times(FIRST_OF_WAYS);
    }

    /** How long attempts took. */
    Histogram attemptTimes() {
        return times(FIRST_OF_ATTEMPTS);
    }

    private Histogram times(int first) {
        Histogram all = Timings.none();
        Timings.addTo(all, counts, first);
        Timings.addTo(all, counts, FIRST_OF_BOTH);
        return all;
    }

    Accounting snapshot() {
        long[] before = readEnded();
        long[] best = before;
        long bestOffered = 0;
        long fewestMoved = Long.MAX_VALUE;
        for (int reading = 0; reading < MOST_READINGS && fewestMoved > 0; reading++) {
            long offeredNow = offered();
            long[] after = readEnded();
            long moved = total(after) - total(before);
            if (moved < fewestMoved) {
                fewestMoved = moved;
                best = before;
                bestOffered = offeredNow;
            }
            before = after;
        }
        return accounting(bestOffered, best);
    }

    private long[] readEnded() {
        long[] ended = new long[ENDINGS];
        for (int slot = 0; slot < ENDINGS; slot++) {
            ended[slot] = counts.sum(slot);
        }
        ended[ANSWERED] += counts.sum(AT_ONCE);
        return ended;
    }

    private static Accounting accounting(long offered, long[] counts) {
        Map<String, Map<String, Long>> causes = new LinkedHashMap<>();
        long rejected = gather(counts, FIRST_REJECTED, REJECTED, "rejected", causes);
        long failed = gather(counts, FIRST_FAILED, FAILED, "failed", causes);
        long unknown = gather(counts, FIRST_UNKNOWN, UNKNOWN, "unknown", causes);
        long inFlight = offered - total(counts);
        return new Accounting(offered, counts[ANSWERED], rejected, failed, unknown, inFlight, causes);
    }

    private static long gather(
            long[] counts, int first, Enum<?>[] words, String ending, Map<String, Map<String, Long>> causes) {
        Map<String, Long> byCause = new LinkedHashMap<>();
        long sum = 0;
        for (Enum<?> word : words) {
            long count = counts[first + word.ordinal()];
            sum += count;
            if (count > 0) {
                byCause.put(word.name().toLowerCase(Locale.ROOT), count);
            }
        }
        if (sum > 0) {
            causes.put(ending, byCause);
        }
        return sum;
    }

    private static long total(long[] counts) {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }
}
