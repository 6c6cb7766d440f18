package dev.penstock.lab.probe;

import dev.penstock.lab.measure.Validity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of a {@link KneeSearch}, and up to which concurrency the target worked without an error. Errors as
 * frequent as without concurrency do not count, as they have another cause. For one thread.
 */
final class KneeMeasurements {
    /** In standard errors: with fifty levels, a difference by chance is unlikely. */
    private static final double SIGNIFICANT = 3;

    /** When this share of the levels started late, the machine was too busy to measure any of them. */
    private static final double MOST_LATE = 1.0 / 3;

    private static final int FEWEST_LATE = 2;

    /** Calls and those of them that failed. */
    private record Calls(long all, long errors) {
        Calls and(long more, long moreErrors) {
            return new Calls(all + more, errors + moreErrors);
        }

        double errorShare() {
            return (double) errors / Math.max(1, all);
        }
    }

    private final List<KneeObservation> all = new ArrayList<>();
    private Calls before = new Calls(0, 0);

    /** Adds calls without concurrency, measured elsewhere. */
    void sequential(long calls, long errors) {
        before = before.and(calls, errors);
    }

    void add(KneeObservation observation) {
        all.add(observation);
    }

    List<KneeObservation> all() {
        return List.copyOf(all);
    }

    /**
     * Those that show the target's capacity, in the order of their measurement. Beyond a level with errors none does: an
     * answer there is luck.
     */
    List<KneeObservation> clean() {
        return cleanSince(0);
    }

    /** Those after the first so many. */
    List<KneeObservation> cleanSince(int first) {
        int refused = refused();
        return all.stream()
                .skip(first)
                .filter(observation -> observation.showsCapacity() && observation.concurrency() < refused)
                .toList();
    }

    boolean isClean(KneeObservation observation) {
        return observation.showsCapacity() && observation.concurrency() < refused();
    }

    /** Whether calls failed at a level, more often than without concurrency. */
    boolean fails(int concurrency) {
        Calls at = at(concurrency);
        Calls alone = at(1).and(before.all, before.errors);
        if (concurrency == 1 || at.errors == 0 || alone.errors == 0) {
            return concurrency > 1 && at.errors > 0;
        }
        double pooled = at.and(alone.all, alone.errors).errorShare();
        double standardError = Math.sqrt(pooled * (1 - pooled) * (1.0 / at.all + 1.0 / alone.all));
        return at.errorShare() - alone.errorShare() > SIGNIFICANT * standardError;
    }

    /** The share of calls that failed at a level. */
    double errorShare(int concurrency) {
        return at(concurrency).errorShare();
    }

    private Calls at(int concurrency) {
        Calls calls = new Calls(0, 0);
        for (KneeObservation observation : all) {
            if (observation.concurrency() == concurrency) {
                calls = calls.and(observation.calls(), observation.errors());
            }
        }
        return calls;
    }

    /** The highest clean level; at least 1. */
    int worked() {
        return clean().stream().mapToInt(KneeObservation::concurrency).max().orElse(1);
    }

    /** The lowest level with errors; {@link Integer#MAX_VALUE} when there is none. */
    int refused() {
        return all.stream()
                .mapToInt(KneeObservation::concurrency)
                .filter(this::fails)
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    boolean wasPaced() {
        return all.stream().anyMatch(KneeObservation::paced);
    }

    /**
     * Why the levels cannot be relied on, with a remedy; null when they can. Levels above the highest clean one do not
     * count: that this machine cannot make so many calls is a bound of the search, not a defect of its result.
     */
    @Nullable
    String whyInvalid() {
        int highest = clean().isEmpty() ? Integer.MAX_VALUE : worked();
        List<KneeObservation> levels = all.stream()
                .filter(observation -> observation.concurrency() <= highest)
                .toList();
        List<KneeObservation> late =
                levels.stream().filter(KneeObservation::isLate).toList();
        if (late.size() < FEWEST_LATE || late.size() < MOST_LATE * levels.size()) {
            return null;
        }
        return String.format(
                Locale.ROOT,
                "in %d of %d levels of concurrency this machine started calls late, by up to %.0f %% of their time (at"
                        + " most %.0f %% is allowed): close other programs, or probe from a machine with more cores",
                late.size(),
                levels.size(),
                100 * late.stream().mapToDouble(KneeObservation::lagShare).max().orElse(0),
                100 * Validity.MAX_LAG);
    }
}
