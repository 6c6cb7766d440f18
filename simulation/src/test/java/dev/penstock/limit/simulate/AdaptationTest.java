package dev.penstock.limit.simulate;

import static dev.penstock.limit.simulate.Behaviour.servers;
import static dev.penstock.limit.simulate.Scenario.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.FullRun;
import dev.penstock.kit.World;
import dev.penstock.limit.simulate.Behaviour.Spread;
import java.util.Locale;
import java.util.function.LongToDoubleFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What targets outside the laboratory did to limits: a throughput that collapses above a number in flight, spikes, refusals, and
 * healthy targets that a limit held back. Many seeds each, times at the target are exponential where nothing else is said.
 */
@Tag("full")
class AdaptationTest {
    private static final long SECOND = World.SECOND;
    private static final int SEEDS = FullRun.sized(2, 20);
    private static final int BEST = 50;
    /** A limit that starts at 1,000 first fills the target with calls that time out: it needs up to 25 s. */
    private static long latestEscape(int start) {
        return (start > 200 ? 25 : 20) * SECOND;
    }

    /** 800 a second at the best, and half of that with more than 60 in flight. */
    private static Behaviour collapsing() {
        return servers(40, 50).with(Spread.EXPONENTIAL).halvedBeyond(60);
    }

    private static double share(Log ours, Log oracle, long from, long to) {
        return (double) ours.useful(from, to) / Math.max(1, oracle.useful(from, to));
    }

    private static LongStream seeds(int count) {
        return LongStream.rangeClosed(1, count).parallel();
    }

    private static double mean(LongToDoubleFunction figure) {
        return seeds(SEEDS).mapToDouble(figure).average().orElseThrow();
    }

    private static String in(Scenario scenario, long seed) {
        return String.format(Locale.ROOT, "%s, seed %d", scenario.name(), seed);
    }

    @ParameterizedTest
    @CsvSource({"20, 0", "100, 0", "200, 0", "1000, 0", "20, 2", "100, 2", "200, 2", "1000, 2"})
    void aLimitLeavesACollapse(int start, double deadline) {
        Scenario scenario =
                named("trap", deadline).phase(40, collapsing(), 1_200, BEST).end();
        double mean = mean(seed -> {
            Log oracle = Run.ofOracle(scenario, seed);
            Log log = Run.of(scenario, Contestants.ours(start, scenario), seed);
            assertThat(escapedAt(log, oracle)).as(in(scenario, seed)).isLessThanOrEqualTo(latestEscape(start));
            return share(log, oracle, 10 * SECOND, 40 * SECOND);
        });
        assertThat(mean).as("of the best after 10 s").isGreaterThan(0.83);
    }

    /** When 2 s gave three quarters of the best for the first time; a limit above the collapse gives half. */
    private static long escapedAt(Log log, Log oracle) {
        for (long at = 0; at <= 38 * SECOND; at += Log.SLICE) {
            if (share(log, oracle, at, at + 2 * SECOND) >= 0.75) {
                return at;
            }
        }
        return Long.MAX_VALUE;
    }

    @ParameterizedTest
    @CsvSource({"20, 0", "200, 0", "20, 2", "200, 2"})
    void aSpikeIsOverFiveSecondsAfterItsEnd(int start, double deadline) {
        Scenario scenario = named("spike", deadline)
                .phase(30, collapsing(), 500, BEST)
                .phase(5, collapsing(), 1_500, BEST)
                .phase(60, collapsing(), 500, BEST)
                .end();
        double mean = mean(seed -> share(
                Run.of(scenario, Contestants.ours(start, scenario), seed),
                Run.ofOracle(scenario, seed),
                40 * SECOND,
                95 * SECOND));
        assertThat(mean).isGreaterThan(0.97);
    }

    @ParameterizedTest
    @CsvSource({"20, false", "200, false", "20, true", "200, true"})
    void fewCallsAreRefusedWhateverTheTargetSays(int start, boolean blunt) {
        Behaviour capped = servers(400, 40).with(Spread.EXPONENTIAL).capped(30);
        Scenario scenario = named("refusals", 2)
                .phase(60, blunt ? capped.refusingBluntly() : capped, 900, 30)
                .end();
        seeds(SEEDS).forEach(seed -> {
            Log log = Run.of(scenario, Contestants.ours(start, scenario), seed);
            double refused = (double) log.refused(5 * SECOND, 60 * SECOND) / log.sent(5 * SECOND, 60 * SECOND);
            assertThat(refused).as(in(scenario, seed)).isLessThan(0.05);
            assertThat(share(log, Run.ofOracle(scenario, seed), 5 * SECOND, 60 * SECOND))
                    .as(in(scenario, seed))
                    .isGreaterThan(0.95);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "10, 20",
        "10, 1000",
        "10, 5000",
        "100, 200",
        "100, 5000",
        "1000, 1",
        "1000, 200",
        "1000, 1000",
        "5000, 20",
        "5000, 200"
    })
    void aHealthyTargetIsNeverHeldBack(double millis, int rate) {
        Stream.of(Spread.FIXED, Spread.EXPONENTIAL, Spread.UNIFORM).parallel().forEach(spread -> {
            Behaviour healthy = servers(1_000_000, millis).with(spread);
            Scenario scenario = named(spread + " healthy", 0)
                    .phase(FullRun.sized(10, 20) + 4 * millis / 1_000, healthy, rate, 1_000_000)
                    .end();
            seeds(FullRun.sized(1, 5)).forEach(seed -> {
                Log log = Run.of(scenario, Contestants.ours(200, scenario), seed);
                long length = Math.round(scenario.seconds() * SECOND);
                assertThat(log.rejected(0, length))
                        .as(in(scenario, seed))
                        .isLessThanOrEqualTo(mayReject(millis, spread) ? Math.round(0.05 * log.sent(0, length)) : 0);
                assertThat(log.p99Millis())
                        .as(in(scenario, seed))
                        .isLessThan(1.05 * Run.ofOracle(scenario, seed).p99Millis());
            });
        });
    }

    /** As after a warm-up: fast calls, and then all take long at once, though no more come. */
    @ParameterizedTest
    @CsvSource({"0.5, 3, 2000, 1000, 200", "3, 3, 200, 1000, 200", "1, 20, 500, 1000, 200", "2, 10, 1000, 500, 420"})
    void aTargetThatIsSuddenlySlowIsNotHeldBack(double seconds, double before, int many, double after, int rate) {
        Scenario scenario = named("suddenly slow", 5)
                .step(seconds, servers(1_000_000, before).with(Spread.FIXED), many, 1_000_000)
                .phase(15, servers(1_000_000, after).with(Spread.FIXED), rate, 1_000_000)
                .end();
        long length = Math.round(scenario.seconds() * SECOND);
        seeds(FullRun.sized(2, 10)).forEach(seed -> {
            Log log = Run.of(scenario, Contestants.ours(200, scenario), seed);
            assertThat(log.rejected(0, length)).as(in(scenario, seed)).isZero();
            assertThat(log.meanPermits(length - 2 * SECOND, length))
                    .as(in(scenario, seed))
                    .isGreaterThan(1.1 * rate * after / 1_000);
        });
    }

    /** Before the first long calls have ended, it cannot be known how many fit in flight; without a deadline a request waits 1 s. */
    private static boolean mayReject(double millis, Spread spread) {
        return millis >= 1_000 && spread != Spread.FIXED || spread == Spread.EXPONENTIAL;
    }

    @ParameterizedTest
    @CsvSource({"1.5", "3", "10"})
    void aColdStartUnderOverloadIsAsGoodAsATunedOne(double load) {
        Behaviour target = servers(2, 4).delayed(20).shared(0.0002).with(Spread.UNIFORM);
        Scenario scenario = named("cold", 1).phase(10, target, 485 * load, 24).end();
        seeds(SEEDS).forEach(seed -> {
            Log log = Run.of(scenario, Contestants.ours(200, scenario), seed);
            assertThat(share(log, Run.ofOracle(scenario, seed), 0, 10 * SECOND))
                    .as(in(scenario, seed))
                    .isGreaterThan(0.85);
            assertThat((double) log.late(0, 10 * SECOND) / log.sent(0, 10 * SECOND))
                    .as(in(scenario, seed))
                    .isLessThan(0.1);
        });
    }

    @Test
    void aLimitDoesNotDriftAwayOnAFlatCurve() {
        Scenario scenario = named("drift", 2)
                .phase(300, servers(40, 100).with(Spread.EXPONENTIAL), 800, 45)
                .phase(60, servers(10, 100).with(Spread.EXPONENTIAL), 800, 12)
                .end();
        seeds(FullRun.sized(1, 5)).forEach(seed -> {
            Log log = Run.of(scenario, Contestants.ours(200, scenario), seed);
            assertThat(log.meanPermits(30 * SECOND, 300 * SECOND))
                    .as("mean limit where 40 is enough")
                    .isLessThan(200);
            for (long at = 300 * SECOND; at <= 355 * SECOND; at += SECOND) {
                assertThat(log.useful(at, at + 5 * SECOND))
                        .as("at " + at / SECOND)
                        .isPositive();
            }
        });
    }
}
