package dev.penstock.meter;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts how transactions end.
 *
 * <h2>Design note</h2>
 *
 * <p>Counting must not make callers queue for one cache line, so every count is a {@link LongAdder}. What is in flight is
 * not counted a second time but follows: offered minus ended. To read all counts as of one instant, the ended ones are
 * read twice, with the offered one in between. Counts only ever grow, so when both readings of the ended agree, none of
 * them moved in between, and the offered count read then stood beside them at one instant. When they keep moving, the
 * reading with the fewest endings in between is taken: its ended counts are from before its offered count, so each
 * transaction is still in exactly one place, and those that ended in between show as in flight.
 *
 * <p>The test of the law is thus not the sum, which holds by construction, but that in flight is never negative and
 * returns to 0: a transaction ended twice or not at all breaks one of them for good.
 *
 * <p>Safe for many threads.
 */
@SuppressWarnings("EnumOrdinal") // an index into an array of this JVM, never stored or sent
final class Ledger {
    static final Duration RECENTLY = Duration.ofSeconds(10);

    private static final int MOST_READINGS = 64;

    private static final Rejected.Cause[] REJECTED = Rejected.Cause.values();
    private static final Failed.Cause[] FAILED = Failed.Cause.values();
    private static final Unknown.Cause[] UNKNOWN = Unknown.Cause.values();

    private static final int ANSWERED = 0;
    private static final int FIRST_REJECTED = 1;
    private static final int FIRST_FAILED = FIRST_REJECTED + REJECTED.length;
    private static final int FIRST_UNKNOWN = FIRST_FAILED + FAILED.length;
    private static final int SLOTS = FIRST_UNKNOWN + UNKNOWN.length;

    private final RecentCount offered;
    private final LongAdder[] ended = new LongAdder[SLOTS];

    Ledger(long now) {
        offered = new RecentCount(RECENTLY, now);
        Arrays.setAll(ended, slot -> new LongAdder());
    }

    void offered(long now) {
        offered.add(now);
    }

    void answered() {
        ended[ANSWERED].increment();
    }

    void ended(Unanswered ending) {
        int slot = switch (ending) {
            case Rejected rejected -> FIRST_REJECTED + rejected.why().ordinal();
            case Failed failed -> FIRST_FAILED + failed.why().ordinal();
            case Unknown unknown -> FIRST_UNKNOWN + unknown.why().ordinal();
        };
        ended[slot].increment();
    }

    double offeredPerSecond(long now) {
        return offered.perSecond(now);
    }

    Accounting snapshot() {
        long[] before = readEnded();
        long[] best = before;
        long bestOffered = 0;
        long fewestMoved = Long.MAX_VALUE;
        for (int reading = 0; reading < MOST_READINGS && fewestMoved > 0; reading++) {
            long offeredNow = offered.total();
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
        long[] counts = new long[SLOTS];
        for (int slot = 0; slot < SLOTS; slot++) {
            counts[slot] = ended[slot].sum();
        }
        return counts;
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
