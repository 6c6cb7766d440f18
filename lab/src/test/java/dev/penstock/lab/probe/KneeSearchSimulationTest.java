package dev.penstock.lab.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class KneeSearchSimulationTest {
    private static final int DRAWS = 20;
    private static final double WHOLE = 40;

    private record Truth(HiddenPeer peer, double knee, double alone, String words) {}

    private static Truth capped(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int workers = (int) Math.round(3 * Math.pow(20, random.nextDouble()));
        double alone = 0.005 * Math.pow(10, random.nextDouble());
        double spread = random.nextDouble();
        String words = "seed %d: %d workers, %.1f ms, spread %.2f".formatted(seed, workers, 1e3 * alone, spread);
        return new Truth(HiddenPeer.capped(workers, HiddenPeer.spread(alone, spread, random)), workers, alone, words);
    }

    private static Truth contended(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double knee = 5 * Math.pow(10, random.nextDouble());
        double sigma = 0.01 + 0.09 * random.nextDouble();
        double kappa = (1 - sigma) / (knee * knee);
        double alone = 0.005 * Math.pow(5, random.nextDouble());
        double spread = 0.5 * random.nextDouble();
        String words = "seed %d: knee %.1f, contention %.3f, %.1f ms, spread %.2f"
                .formatted(seed, knee, sigma, 1e3 * alone, spread);
        return new Truth(HiddenPeer.usl(sigma, kappa, HiddenPeer.spread(alone, spread, random)), knee, alone, words);
    }

    private static KneeFinding found(Truth truth, long seed, UnaryOperator<KneeObservation> changed) {
        return Objects.requireNonNull(searched(truth, seed, changed).finding());
    }

    private static KneeSearch searched(Truth truth, long seed, UnaryOperator<KneeObservation> changed) {
        KneeSearch search = KneeSearch.within(WHOLE, 512, KneeSearch.Bound.CONNECTIONS, truth.alone, seed);
        double left = WHOLE;
        for (Optional<KneeSearch.Level> next = search.next(left); next.isPresent(); next = search.next(left)) {
            left -= next.get().whole();
            search.record(changed.apply(truth.peer.measure(next.get())));
        }
        assertThat(left).isGreaterThanOrEqualTo(0);
        return search;
    }

    private static List<String> missed(LongFunction<Truth> draw, UnaryOperator<KneeObservation> changed) {
        List<String> missed = new ArrayList<>();
        for (long seed = 1; seed <= DRAWS; seed++) {
            Truth truth = draw.apply(seed);
            KneeFinding finding = found(truth, seed, changed);
            boolean near = finding.reached() && Math.abs(finding.knee() / truth.knee - 1) <= 0.15;
            if (!near) {
                missed.add(truth.words + " -> " + said(finding));
            }
        }
        return missed;
    }

    private static String said(KneeFinding finding) {
        return String.format(
                Locale.ROOT,
                "%s %.1f (%.1f to %.1f), %d points: %s",
                finding.reached() ? "found" : "not reached",
                finding.knee(),
                finding.low(),
                finding.high(),
                finding.points().size(),
                finding.why());
    }

    @Test
    void findsHowManyAreServedAtOnce() {
        assertThat(missed(KneeSearchSimulationTest::capped, UnaryOperator.identity()))
                .hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void findsTheTopOfACurveThatFalls() {
        assertThat(missed(KneeSearchSimulationTest::contended, UnaryOperator.identity()))
                .hasSizeLessThanOrEqualTo(2);
    }

    /** Both sides of a measurement begin cold; what came first must not bend the curve. */
    @Test
    void aClimbThatWasColdDoesNotMoveTheKnee() {
        for (long seed = 1; seed <= 5; seed++) {
            int[] cold = {5};
            Truth truth = contended(seed);
            KneeFinding finding =
                    found(truth, seed, seen -> cold[0]-- > 0 ? rated(seen, 0.6 * seen.throughput()) : seen);
            assertThat(finding.knee())
                    .as(truth.words + " -> " + said(finding))
                    .isBetween(0.85 * truth.knee, 1.15 * truth.knee);
        }
    }

    @Test
    void closesInOnAPeerThatRefusesWhatIsBeyondACap() {
        for (int cap : new int[] {1, 5, 20, 47}) {
            SplittableRandom random = new SplittableRandom(cap);
            HiddenPeer peer = new HiddenPeer(1_000, cap, HiddenPeer.spread(0.02, 0.3, random), n -> 1);
            KneeFinding finding = found(new Truth(peer, cap, 0.02, "cap " + cap), cap, UnaryOperator.identity());
            assertThat(finding.reached()).as(finding.why()).isTrue();
            assertThat(finding.knee()).as(finding.why()).isBetween(0.9 * cap, 1.0 * cap);
            assertThat(finding.worked()).as(finding.why()).isBetween((int) Math.ceil(0.9 * cap), cap);
        }
    }

    /** Its errors are as many whatever the concurrency, so they say nothing about it. */
    @Test
    void errorsThatAlsoComeAloneDoNotBoundTheSearch() {
        for (int cap : new int[] {6, 20}) {
            SplittableRandom random = new SplittableRandom(cap);
            HiddenPeer peer =
                    HiddenPeer.capped(cap, HiddenPeer.spread(0.02, 0.3, random)).failing(0.01, random);
            KneeFinding finding = found(new Truth(peer, cap, 0.02, ""), cap, UnaryOperator.identity());
            assertThat(finding.reached()).as(said(finding)).isTrue();
            assertThat(finding.knee()).as(said(finding)).isBetween(0.85 * cap, 1.15 * cap);
            assertThat(finding.worked()).as(said(finding)).isGreaterThan(cap);
        }
    }

    @Test
    void oneErrorEndsWhatIsSeenToWork() {
        KneeFinding finding =
                found(capped(2), 2, seen -> seen.concurrency() < 4 ? seen : failed(seen, 1.0 / seen.calls()));
        assertThat(finding.worked()).as(said(finding)).isLessThan(4);
        assertThat(finding.why()).contains("at 4");
    }

    @Test
    void aLevelThatFailsLaterIsNoLongerSeenToWork() {
        int[] calls = {0};
        KneeFinding finding = found(
                new Truth(
                        HiddenPeer.capped(100_000, HiddenPeer.spread(0.02, 0.3, new SplittableRandom(1))), 1, 0.02, ""),
                1,
                seen -> seen.concurrency() >= 64 || (seen.concurrency() > 20 && calls[0]++ > 2)
                        ? failed(seen, 0.5)
                        : seen);
        assertThat(finding.worked()).as(said(finding)).isLessThanOrEqualTo(20);
    }

    private static KneeObservation failed(KneeObservation seen, double share) {
        return new KneeObservation(
                seen.concurrency(),
                (1 - share) * seen.throughput(),
                seen.mean(),
                share,
                seen.calls(),
                seen.spread(),
                0,
                false);
    }

    @Test
    void aPeerThatOnlyGrowsIsNotReached() {
        Truth endless = new Truth(
                HiddenPeer.capped(100_000, HiddenPeer.spread(0.02, 0.5, new SplittableRandom(1))), 1, 0.02, "");
        KneeFinding finding = found(endless, 1, UnaryOperator.identity());
        assertThat(finding.reached()).as(finding.why()).isFalse();
        assertThat(finding.why()).contains("--max-connections");
    }

    @Test
    void saysWhenThePeerItselfHasNoMoreConnections() {
        KneeSearch search = KneeSearch.within(WHOLE, 1, KneeSearch.Bound.ANNOUNCED, 0.02, 1);
        search.record(new KneeObservation(1, 50, 0.02, 0, 100, 0.1, 0, false));
        assertThat(Objects.requireNonNull(search.finding()).why())
                .contains("the peer's max_connections")
                .doesNotContain("--max-connections");
    }

    @Test
    void whatTheThrottleHeldBackSaysNothing() {
        KneeFinding finding = found(capped(2), 2, seen -> seen.concurrency() < 8 ? seen : paced(seen));
        assertThat(finding.reached()).isFalse();
        assertThat(finding.why()).contains("--max-rate");
        assertThat(finding.knee()).isLessThan(8);
    }

    @Test
    void whatThisMachineStartedLateSaysNothing() {
        KneeSearch search = searched(capped(2), 2, seen -> seen.concurrency() < 8 ? seen : late(seen));
        KneeFinding finding = Objects.requireNonNull(search.finding());
        assertThat(finding.reached()).isFalse();
        assertThat(finding.why()).contains("more cores");
        assertThat(finding.worked()).isEqualTo(4);
        assertThat(search.whyInvalid()).isNull(); // what is said of lower levels stands
    }

    @Test
    void aMachineThatIsAlwaysLateMeasuresNothing() {
        KneeSearch search = searched(capped(2), 2, KneeSearchSimulationTest::late);
        assertThat(search.finding()).isNull();
        assertThat(search.whyInvalid()).contains("in 2 of 2 levels", "by up to 25 %", "close other programs");
    }

    @Test
    void aMachineThatBecomesLateIsNotRelied() {
        int[] levels = {0};
        KneeSearch search = searched(capped(2), 2, seen -> levels[0]++ < 8 ? seen : late(seen));
        assertThat(search.whyInvalid()).contains("this machine started calls late");
    }

    private static KneeObservation late(KneeObservation seen) {
        return new KneeObservation(
                seen.concurrency(),
                seen.throughput(),
                seen.mean(),
                seen.errorShare(),
                seen.calls(),
                seen.spread(),
                0.25,
                false);
    }

    private static KneeObservation paced(KneeObservation seen) {
        return new KneeObservation(
                seen.concurrency(),
                seen.throughput(),
                seen.mean(),
                seen.errorShare(),
                seen.calls(),
                seen.spread(),
                0,
                true);
    }

    /** What a search must not do: these searches look at something else than the answers, and have to miss. */
    @Test
    void mutantsMiss() {
        assertThat(missed(KneeSearchSimulationTest::capped, seen -> rated(seen, seen.concurrency() / 0.02)))
                .hasSizeGreaterThan(17);
        assertThat(missed(KneeSearchSimulationTest::contended, seen -> rated(seen, 100)))
                .hasSizeGreaterThan(17);
    }

    private static KneeObservation rated(KneeObservation seen, double throughput) {
        return new KneeObservation(
                seen.concurrency(), throughput, seen.mean(), seen.errorShare(), seen.calls(), seen.spread(), 0, false);
    }
}
