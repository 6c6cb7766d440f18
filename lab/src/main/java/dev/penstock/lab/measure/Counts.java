package dev.penstock.lab.measure;

import java.util.Map;
import java.util.TreeMap;

/**
 * The transactions of a load by ending. Invariant:
 * {@code offered = right + wrong + rejected + failed + unknown + lost + shed}.
 *
 * @param offered all transactions due in the measured window
 * @param right answered correctly
 * @param wrong answered incorrectly
 * @param rejected never sent
 * @param failed known to have had no effect
 * @param unknown sent without an answer; exceptions that are not endings also count here
 * @param lost without an ending at the end of the grace period
 * @param shed never started because of the in-flight limit: a limit of the generator, not of the service
 * @param causes the number of transactions by ending and cause; only those that occurred
 */
public record Counts(
        long offered,
        long right,
        long wrong,
        long rejected,
        long failed,
        long unknown,
        long lost,
        long shed,
        Map<String, Map<String, Long>> causes) {
    public Counts {
        Map<String, Map<String, Long>> copy = new TreeMap<>();
        causes.forEach((ending, byCause) -> copy.put(ending, Map.copyOf(byCause)));
        causes = Map.copyOf(copy);
    }

    /** Started transactions without a correct answer, including rejected, unknown and lost ones. */
    public long errors() {
        return wrong + rejected + failed + unknown + lost;
    }

    /** Started transactions. */
    public long started() {
        return offered - shed;
    }

    static Counts of(long started, long shed, long[] byOutcome) {
        Map<String, Map<String, Long>> causes = new TreeMap<>();
        long ended = 0;
        for (Outcome outcome : Outcome.all()) {
            long count = byOutcome[outcome.index()];
            ended += count;
            if (count > 0) {
                causes.computeIfAbsent(outcome.ending(), e -> new TreeMap<>()).put(outcome.cause(), count);
            }
        }
        return new Counts(
                started + shed,
                byOutcome[Outcome.RIGHT.index()],
                byOutcome[Outcome.WRONG.index()],
                total(causes, "rejected"),
                total(causes, "failed"),
                total(causes, "unknown"),
                started - ended,
                shed,
                causes);
    }

    private static long total(Map<String, Map<String, Long>> causes, String ending) {
        return causes.getOrDefault(ending, Map.of()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }
}
