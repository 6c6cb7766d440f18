package dev.penstock.lab.measure;

import java.util.Map;
import java.util.TreeMap;

/**
 * How the transactions of a load ended. {@code offered = right + wrong + rejected + failed + unknown + lost + shed}, always.
 *
 * @param offered all that were due to start within the measured window
 * @param right answered as they had to be
 * @param wrong answered otherwise
 * @param rejected never sent
 * @param failed known not to have taken effect
 * @param unknown sent, and no answer came; any exception that is no ending counts here
 * @param lost without an ending when the grace was over
 * @param shed never started, because too many were in flight already: a shortcoming of the generator, not of the service
 * @param causes by ending, how many by cause; only what occurred
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
    /** Copies the map. */
    public Counts {
        Map<String, Map<String, Long>> copy = new TreeMap<>();
        causes.forEach((ending, byCause) -> copy.put(ending, Map.copyOf(byCause)));
        causes = Map.copyOf(copy);
    }

    /** Transactions that started and did not get a right answer; rejected, unknown and lost ones are among them. */
    public long errors() {
        return wrong + rejected + failed + unknown + lost;
    }

    /** Transactions that started. */
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
