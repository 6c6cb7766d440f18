package dev.penstock.meter;

import dev.penstock.Accounting;
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
 * Counts transactions by ending, and records their times.
 *
 * <h2>Design note</h2>
 *
 * <p>Transactions in flight are not counted but computed: offered minus ended. For a consistent snapshot the ended counts are
 * read twice, with the offered count in between. Counts only grow, so if both readings of the ended counts agree, none of them
 * changed in between, and all counts are from one instant. If they keep changing, the reading with the fewest endings in
 * between is used: its ended counts are from before its offered count, so each transaction is still counted exactly once, and
 * those that ended in between appear as in flight.
 *
 * <p>So the sum of the accounting invariant holds by construction. What can be violated, and is tested, is that in flight is
 * never negative and returns to 0: a transaction that ends twice or never violates one of these permanently.
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("EnumOrdinal") // an index into an array of this JVM, never stored or sent
final class OutcomeCounters {
    static final Duration RECENTLY = Duration.ofSeconds(10);

    private static final int MAX_READINGS = 64;

    private static final Rejected.Cause[] REJECTED = Rejected.Cause.values();
    private static final Failed.Cause[] FAILED = Failed.Cause.values();
    private static final Unknown.Cause[] UNKNOWN = Unknown.Cause.values();

    private static final int ANSWERED = 0;
    private static final int FIRST_REJECTED = 1;
    private static final int FIRST_FAILED = FIRST_REJECTED + REJECTED.length;
    private static final int FIRST_UNKNOWN = FIRST_FAILED + FAILED.length;
    private static final int ENDINGS = FIRST_UNKNOWN + UNKNOWN.length;

    private static final int OFFERED = ENDINGS;
    private static final int FIRST_TIME = OFFERED + 1;
    private static final int SLOTS = FIRST_TIME + TimeBuckets.SLOTS;

    private final StripedCounters counts = new StripedCounters(SLOTS);
    private final RecentWindow offered;

    OutcomeCounters(long now) {
        offered = new RecentWindow(RECENTLY, now, this::offered);
    }

    void offered(long now) {
        offered.advance(now);
        counts.add(OFFERED);
    }

    void answered(long nanos) {
        counts.addAll(ANSWERED, FIRST_TIME + TimeBuckets.slot(nanos));
    }

    void ended(Unanswered ending, long nanos) {
        int slot = switch (ending) {
            case Rejected rejected -> FIRST_REJECTED + rejected.why().ordinal();
            case Failed failed -> FIRST_FAILED + failed.why().ordinal();
            case Unknown unknown -> FIRST_UNKNOWN + unknown.why().ordinal();
        };
        counts.addAll(slot, FIRST_TIME + TimeBuckets.slot(nanos));
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

    /** The times of transactions, from offer to ending. */
    Histogram times() {
        return Timings.of(counts, FIRST_TIME);
    }

    Accounting snapshot() {
        long[] before = readEnded();
        long[] best = before;
        long bestOffered = 0;
        long fewestMoved = Long.MAX_VALUE;
        for (int reading = 0; reading < MAX_READINGS && fewestMoved > 0; reading++) {
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
