package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Rejected;
import dev.penstock.kit.World;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * 50,000 callers, each of which wants an answer a second, before a target that gives 2,000/s: 40 calls at once, of 20 ms in the
 * mean. All come back when their rejection advises.
 */
class ObedientCallersSimulationTest {
    private static final int CALLERS = 50_000;
    private static final int SLOTS = 40;
    private static final double MEAN_NANOS = 20e6;
    private static final int CAPACITY = 2_000;
    private static final int SECONDS = 20;

    private final World world = new World();
    private final Queue<Runnable> atTarget = new ArrayDeque<>();
    private SplittableRandom random = new SplittableRandom(1);
    private int busy;
    private long calls;
    private long answers;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void whoeverObeysLeavesTheTargetBusyAndNotFlooded(int seed) {
        random = new SplittableRandom(seed);
        QueueingFlow[] flow = new QueueingFlow[1];
        flow[0] = new QueueingFlow(
                world, Limits.shared(), this::serve, new SplittableRandom(seed), () -> flow[0].settle());
        for (int i = 0; i < CALLERS; i++) {
            world.at(random.nextLong(World.SECOND), () -> call(flow[0]));
        }
        world.runUntil(10 * World.SECOND);
        calls = 0;
        answers = 0;
        world.runUntil((10 + SECONDS) * World.SECOND);
        assertThat(answers).isGreaterThanOrEqualTo((long) (0.9 * CAPACITY * SECONDS));
        assertThat(calls).isLessThan(3L * CAPACITY * SECONDS);
    }

    private void call(QueueingFlow flow) {
        calls++;
        flow.call(new QueueingFlow.Caller() {
            @Override
            public void answered() {
                answers++;
                world.in(World.SECOND, () -> call(flow));
            }

            @Override
            public void rejected(Rejected why) {
                world.in(why.retryAfter().toNanos(), () -> call(flow));
            }
        });
    }

    private void serve(Runnable answered) {
        if (busy == SLOTS) {
            atTarget.add(answered);
            return;
        }
        busy++;
        world.in((long) (-Math.log(1 - random.nextDouble()) * MEAN_NANOS), () -> {
            busy--;
            if (!atTarget.isEmpty()) {
                serve(atTarget.remove());
            }
            answered.run();
        });
    }
}
