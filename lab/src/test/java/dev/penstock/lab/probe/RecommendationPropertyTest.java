package dev.penstock.lab.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;

/** Searches of peers that refuse calls beyond some concurrency, in virtual time. */
class RecommendationPropertyTest {
    private static final double ALONE = 0.02;

    @Property(tries = 60)
    void recommendsNoMoreThanWasSeenToWorkOrIsAnnounced(
            @ForAll @LongRange(min = 0, max = 100_000) long seed,
            @ForAll @IntRange(min = 1, max = 70) int cap,
            @ForAll @IntRange(min = 1, max = 100) int workers,
            @ForAll @DoubleRange(min = 0, max = 0.6) double spread,
            @ForAll @IntRange(min = 1, max = 20) int lingersOneIn,
            @ForAll @IntRange(min = 2, max = 120) int most,
            @ForAll @IntRange(min = 1, max = 80) int announced,
            @ForAll @DoubleRange(min = 2, max = 30) double whole) {
        SplittableRandom random = new SplittableRandom(seed);
        HiddenPeer peer = new HiddenPeer(workers, cap, HiddenPeer.spread(ALONE, spread, random), n -> 1)
                .lingering(lingersOneIn < 10 ? 0 : 0.1 / lingersOneIn, random);
        List<KneeObservation> seen = new ArrayList<>();
        KneeFinding knee = found(peer, whole, most, seed, seen);
        if (knee == null) {
            return;
        }
        ProbeFindings without = Findings.announcing(knee);
        ProbeFindings with =
                Findings.announcing(knee, new AnnouncedLimit("max_connections", String.valueOf(announced), "all"));
        int worked = seenToWork(seen);
        for (Recommendation.To to : Recommendation.To.values()) {
            assertThat(numbers(without, to)).as(knee.why()).allMatch(number -> number <= worked && number <= cap);
            assertThat(numbers(with, to)).as(knee.why()).allMatch(number -> number <= worked && number <= announced);
            assertThat(numbers(with, to))
                    .as("costs no more than 5 % of what is announced or wanted")
                    .allMatch(number -> number >= Math.min(0.95 * announced, wanted(without, to)));
            assertThat(numbers(without, to)).hasSize(to == Recommendation.To.BROKER ? 1 : 2);
        }
    }

    private static @Nullable KneeFinding found(
            HiddenPeer peer, double whole, int most, long seed, List<KneeObservation> seen) {
        KneeSearch search = KneeSearch.within(whole, most, KneeSearch.Bound.CONNECTIONS, ALONE, seed)
                .sequential(100, 0);
        double left = whole;
        for (Optional<KneeSearch.Level> next = search.next(left); next.isPresent(); next = search.next(left)) {
            left -= next.get().whole();
            KneeObservation observation = peer.measure(next.get());
            seen.add(observation);
            search.record(observation);
        }
        assertThat(left).isGreaterThanOrEqualTo(0);
        return search.finding();
    }

    /** The highest level without an error below all with one; a single call worked before the search. */
    private static int seenToWork(List<KneeObservation> seen) {
        int failed = seen.stream()
                .filter(observation -> observation.errors() > 0)
                .mapToInt(KneeObservation::concurrency)
                .min()
                .orElse(Integer.MAX_VALUE);
        return seen.stream()
                .mapToInt(KneeObservation::concurrency)
                .filter(concurrency -> concurrency < failed)
                .max()
                .orElse(1);
    }

    private static int wanted(ProbeFindings findings, Recommendation.To to) {
        return numbers(findings, to).stream().mapToInt(number -> number).min().orElseThrow();
    }

    /** The upper ends of the recommended limit and of the pool. */
    private static List<Integer> numbers(ProbeFindings findings, Recommendation.To to) {
        return new Recommendation(findings, to)
                .advice().stream()
                        .filter(advice -> Set.of("limit", "pool.max").contains(advice.name()))
                        .map(advice -> Integer.valueOf(advice.value().replaceAll(".*max: (\\d+) }", "$1")))
                        .toList();
    }
}
