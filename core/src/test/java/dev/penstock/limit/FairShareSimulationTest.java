package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.FullRun;
import dev.penstock.kit.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How flows share a target that serves 16 calls at once, of 20 ms in the mean: 800/s. */
class FairShareSimulationTest {
    private static final int SLOTS = 16;
    private static final double MEAN_NANOS = 20e6;
    private static final int SECONDS = 10;

    private final World world = new World();
    private final List<QueueingFlow> flows = new ArrayList<>();
    private final Queue<Runnable> atTarget = new ArrayDeque<>();
    private SplittableRandom random = new SplittableRandom(1);
    private int busy;

    @ParameterizedTest
    @ValueSource(ints = {2, 8})
    void equalFlowsGetEqualSharesInAnyTenSeconds(int count) {
        for (int seed = 1; seed <= FullRun.sized(2, 20); seed++) {
            SharedLimit limit = Limits.shared();
            List<double[]> stretches = run(seed, () -> limit, 60, fill(count, 1_600.0 / count));
            for (double[] answers : stretches) {
                assertThat(jain(answers)).as("%s", Arrays.toString(answers)).isGreaterThanOrEqualTo(0.95);
                assertThat(Arrays.stream(answers).sum()).isGreaterThan(0.9 * 800 * SECONDS);
            }
            double perStretch =
                    stretches.stream().flatMapToDouble(Arrays::stream).sum() / stretches.size();
            assertThat(perStretch).isGreaterThan(0.95 * 800 * SECONDS);
        }
    }

    @Test
    void aFlowThatNeedsLessThanItsShareGetsAllItNeeds() {
        int seeds = FullRun.sized(5, 20);
        double all = 0;
        for (int seed = 1; seed <= seeds; seed++) {
            double[] answers = shared(seed, 100, 2_000);
            // Arrivals are random, so this is three standard deviations below their mean.
            assertThat(answers[0]).isGreaterThan(100 * SECONDS - 3 * Math.sqrt(100 * SECONDS));
            all += answers[0] + answers[1];
        }
        assertThat(all / seeds).isGreaterThan(0.95 * 800 * SECONDS);
    }

    @Test
    void twiceTheRequestsGetNoLargerShare() {
        double[] answers = shared(1, 1_000, 4_000);
        assertThat(jain(answers)).as("%s", Arrays.toString(answers)).isGreaterThanOrEqualTo(0.95);
    }

    @Test
    void anIdleFlowCostsNothing() {
        double[] beside = shared(1, 1_600, 0);
        assertThat(beside[0]).isEqualTo(shared(1, 1_600)[0]);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void fewerPermitsThanFlowsGoAroundInTurn(int permits) {
        SharedLimit limit = SharedLimit.fixed(new FixedLimit(permits, "given"), true);
        double[] answers = run(1, () -> limit, SECONDS, fill(5, 200)).getFirst();
        assertThat(jain(answers)).as("%s", Arrays.toString(answers)).isGreaterThanOrEqualTo(0.95);
    }

    @Test
    void noPermitIsLostWhenAllFlowsAreDone() {
        shared(3, 700, 900, 100);
        flows.forEach(flow -> assertThat(flow.inFlight()).isZero());
    }

    private double[] shared(int seed, double... rates) {
        SharedLimit limit = Limits.shared();
        return run(seed, () -> limit, SECONDS, rates).getFirst();
    }

    /**
     * Answers of each flow, in each ten seconds after the two that find the limit.
     *
     * @param limit gives each flow its limit
     * @param seconds how long to go on, in tens
     * @param rates how many requests of each flow come in a second, at random times
     */
    private List<double[]> run(int seed, Supplier<SharedLimit> limit, int seconds, double... rates) {
        random = new SplittableRandom(seed);
        flows.clear();
        List<double[]> stretches = Stream.generate(() -> new double[rates.length])
                .limit(seconds / SECONDS)
                .toList();
        long begin = world.now() + 2 * World.SECOND;
        for (int i = 0; i < rates.length; i++) {
            int number = i;
            QueueingFlow flow = new QueueingFlow(
                    world,
                    limit.get(),
                    this::serve,
                    new SplittableRandom(number),
                    () -> flows.forEach(QueueingFlow::settle));
            flows.add(flow);
            Runnable counted = () -> {
                int stretch = Math.floorDiv((int) Math.floorDiv(world.now() - begin, World.SECOND), SECONDS);
                if (stretch >= 0 && stretch < stretches.size()) {
                    stretches.get(stretch)[number]++;
                }
            };
            if (rates[i] > 0) {
                arrive(flow, rates[i], begin + seconds * World.SECOND, QueueingFlow.Caller.of(counted));
            }
        }
        world.runUntil(begin + (seconds + 30) * World.SECOND);
        return stretches;
    }

    private void arrive(QueueingFlow flow, double rate, long end, QueueingFlow.Caller caller) {
        world.in((long) (exponential() * World.SECOND / rate), () -> {
            if (world.now() < end) {
                flow.call(caller);
                arrive(flow, rate, end, caller);
            }
        });
    }

    private void serve(Runnable answered) {
        if (busy == SLOTS) {
            atTarget.add(answered);
            return;
        }
        busy++;
        world.in((long) (exponential() * MEAN_NANOS), () -> {
            busy--;
            if (!atTarget.isEmpty()) {
                serve(atTarget.remove());
            }
            answered.run();
        });
    }

    private double exponential() {
        return -Math.log(1 - random.nextDouble());
    }

    private static double[] fill(int count, double value) {
        return IntStream.range(0, count).mapToDouble(i -> value).toArray();
    }

    /** Jain's index: 1 when all are equal, 1/n when one has all. */
    private static double jain(double[] shares) {
        double sum = Arrays.stream(shares).sum();
        double squares = Arrays.stream(shares).map(share -> share * share).sum();
        return sum * sum / (shares.length * squares);
    }
}
