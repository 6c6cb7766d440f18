package dev.penstock.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.flow.Flow;
import dev.penstock.kit.World;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A target of 10 slots and 500 calls a second, some of which fail, behind as many permits and no queue, in virtual time. A
 * budget that is charged for what the limit rejects loses 5 to 11 % of the answers of all but the first of these loads.
 */
class RetryStormTest {
    private static final int SEEDS = 3;
    private static final int SLOTS = 10;
    private static final long CALL_NANOS = 20 * World.MILLI;
    private static final int OFFERED = 5_000;
    private static final Backoff BACKOFF = new Backoff(50 * World.MILLI, 2 * World.SECOND);

    @ParameterizedTest
    @CsvSource({"0.7, 0", "0.7, 0.1", "0.7, 0.2", "1, 0", "1, 0.1", "2, 0", "2, 0.1", "4, 0"})
    void asManyAreAnsweredAsByPlainRepeatsBehindASemaphore(double load, double failing) {
        int plainly = 0;
        int answered = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            Storm plain = new Storm(load, failing, seed);
            plain.run(plain::repeatPlainly);
            plainly += plain.answered;
            Storm ours = new Storm(load, failing, seed);
            Flow<Integer, Integer> flow = Flow.named("storm")
                    .ticker(ours)
                    .random(ours.random)
                    .retry(Retry.whenNotSent())
                    .concurrency(SLOTS)
                    .queueLength(0)
                    .to(ours::serve);
            ours.run(flow);
            answered += ours.answered;
            assertThat(note(flow)).contains(", " + ours.again + " of them sent again");
        }
        assertThat(answered).isGreaterThanOrEqualTo((int) (0.99 * plainly));
    }

    private static String note(Flow<?, ?> flow) {
        return flow.stages().stream()
                .filter(stage -> stage.stage().equals("retry"))
                .findFirst()
                .orElseThrow()
                .note();
    }

    /** Callers that come at random, each on a thread of its own, of which one runs at a time; and their target. */
    private static final class Storm implements Ticker {
        private final World world = new World();
        private final Semaphore standsStill = new Semaphore(0);
        private final Random random;
        private final double load;
        private final double failing;
        private final Set<Integer> seen = new HashSet<>();
        private int atTarget;
        private int answered;
        /** How often it got what it had got before. */
        private int again;

        private Storm(double load, double failing, long seed) {
            this.random = new Random(seed);
            this.load = load;
            this.failing = failing;
        }

        void run(Service<Integer, Integer> service) {
            double at = 0;
            for (int request = 0; request < OFFERED; request++) {
                at += exponential(CALL_NANOS / (SLOTS * load));
                int id = request;
                world.at((long) at, () -> {
                    Thread.ofVirtual().start(() -> call(service, id));
                    standsStill.acquireUninterruptibly();
                });
            }
            world.runUntil((long) at + 60 * World.SECOND);
        }

        private void call(Service<Integer, Integer> service, int id) {
            try {
                service.call(id);
                answered++;
            } catch (Exception unanswered) {
                // Counted by the difference.
            } finally {
                standsStill.release();
            }
        }

        Integer serve(Integer id) throws Failed {
            again += seen.add(id) ? 0 : 1;
            parkUntil(nanos() + CALL_NANOS);
            if (random.nextDouble() < failing) {
                throw new Failed(Failed.Cause.CONNECT, "refused");
            }
            return id;
        }

        Integer repeatPlainly(Integer id) throws Exception {
            for (int attempt = 1; ; attempt++) {
                try {
                    return serveWithPermit(id);
                } catch (Unanswered ending) {
                    if (attempt == Retry.DEFAULT_ATTEMPTS) {
                        throw ending;
                    }
                }
                parkUntil(nanos() + BACKOFF.wait(attempt, random));
            }
        }

        private Integer serveWithPermit(Integer id) throws Exception {
            if (atTarget == SLOTS) {
                throw new Rejected(Rejected.Cause.LIMIT, "full");
            }
            atTarget++;
            try {
                return serve(id);
            } finally {
                atTarget--;
            }
        }

        private double exponential(double mean) {
            return -Math.log(1 - random.nextDouble()) * mean;
        }

        @Override
        public long nanos() {
            return world.now();
        }

        @Override
        public void parkUntil(long nanos) {
            Semaphore mine = new Semaphore(0);
            world.at(nanos, () -> {
                mine.release();
                standsStill.acquireUninterruptibly();
            });
            standsStill.release();
            mine.acquireUninterruptibly();
        }
    }
}
