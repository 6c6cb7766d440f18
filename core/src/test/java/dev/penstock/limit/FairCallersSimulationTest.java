package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Rejected;
import dev.penstock.kit.FullRun;
import dev.penstock.kit.World;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ten callers of a flow in virtual time. Nine send half of their share of what the target can do, the tenth much more. With fewer permits
 * one becomes free more rarely, so a turn takes longer: with 20 the p99 is at the bound.
 */
class FairCallersSimulationTest {
    private static final int CALLERS = 10;
    private static final double MEAN_NANOS = 100e6;
    private static final int SECONDS = 60;

    /** What became of the requests of one caller. */
    private static final class Outcomes {
        private final List<Long> times = new ArrayList<>();
        private int offered;

        double answered() {
            return (double) times.size() / offered;
        }

        long p99() {
            return times.stream().sorted().toList().get(times.size() * 99 / 100);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 100})
    void oneThatSendsTenTimesItsShareDelaysOthersLittle(int permits) {
        for (int seed = 1; seed <= FullRun.sized(2, 20); seed++) {
            List<Outcomes> alone = run(seed, permits, 0);
            List<Outcomes> beside = run(seed, permits, 10);
            for (int i = 0; i < CALLERS - 1; i++) {
                assertThat(beside.get(i).answered()).isGreaterThanOrEqualTo(0.99);
                assertThat(beside.get(i).p99())
                        .isLessThanOrEqualTo(12 * alone.get(i).p99() / 10);
            }
            // The rest is its own: half of nine shares, and its own share.
            double rest = 5.5 * share(permits) * SECONDS;
            assertThat(beside.getLast().times.size()).isBetween((int) (0.95 * rest), (int) (1.05 * rest));
        }
    }

    private static double share(int permits) {
        return permits / MEAN_NANOS * World.SECOND / CALLERS;
    }

    /** @param flood how many times its share the last caller sends */
    private static List<Outcomes> run(int seed, int permits, double flood) {
        World world = new World();
        SplittableRandom random = new SplittableRandom(seed);
        SharedLimit limit = SharedLimit.fixed(new FixedLimit(permits, "given"), false);
        List<QueueingFlow> flows = new ArrayList<>();
        QueueingFlow flow = new QueueingFlow(
                world,
                limit,
                answered -> world.in((long) (MEAN_NANOS * (0.5 + random.nextDouble())), answered),
                new SplittableRandom(seed),
                () -> flows.forEach(QueueingFlow::settle));
        flows.add(flow);
        List<Outcomes> all =
                IntStream.range(0, CALLERS).mapToObj(i -> new Outcomes()).toList();
        for (int i = 0; i < CALLERS; i++) {
            double rate = share(permits) * (i < CALLERS - 1 ? 0.5 : flood);
            if (rate > 0) {
                arrive(world, flow, i, all.get(i), rate, random);
            }
        }
        world.runUntil((SECONDS + 10) * World.SECOND);
        return all;
    }

    private static void arrive(
            World world, QueueingFlow flow, int caller, Outcomes outcomes, double rate, SplittableRandom random) {
        world.in((long) (-Math.log(1 - random.nextDouble()) * World.SECOND / rate), () -> {
            if (world.now() < SECONDS * World.SECOND) {
                long begun = world.now();
                outcomes.offered++;
                flow.call(caller, new QueueingFlow.Caller() {
                    @Override
                    public void answered() {
                        outcomes.times.add(world.now() - begun);
                    }

                    @Override
                    public void rejected(Rejected why) {}
                });
                arrive(world, flow, caller, outcomes, rate, random);
            }
        });
    }
}
