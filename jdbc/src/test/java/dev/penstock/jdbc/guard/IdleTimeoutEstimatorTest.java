package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class IdleTimeoutEstimatorTest {
    private static final long SECOND = 1_000_000_000L;

    private final IdleTimeoutEstimator age = new IdleTimeoutEstimator();

    @Test
    void keepsAliveAtGrowingAgesUpToTheUsualOne() {
        assertThat(age.keepAliveAt()).isBetween(SECOND / 2, SECOND);
        age.alive(10 * SECOND);
        assertThat(age.keepAliveAt()).isEqualTo(13_300_000_000L);
        age.alive(3600 * SECOND);
        assertThat(age.keepAliveAt()).isEqualTo(IdleTimeoutEstimator.USUAL);
        assertThat(age.testAt()).isEqualTo(IdleTimeoutEstimator.UNKNOWN);
        assertThat(age.reason()).isEqualTo("no idle timeout seen; keep-alive every 25 s");
    }

    @Test
    void deathIsOnlyASuspicionWhichIsNotStored() {
        age.alive(60 * SECOND);
        age.died(20 * SECOND);

        assertThat(age.isKnown()).isFalse();
        assertThat(age.value()).isEqualTo("none seen");
        assertThat(age.serialized()).isEqualTo("kills=0");
        assertThat(age.keepAliveAt()).isEqualTo(10 * SECOND);
        assertThat(age.testAt()).isEqualTo(20 * SECOND);
        assertThat(age.reason())
                .isEqualTo("a connection idle for 20 s was dead, which is being tested; keep-alive every 10 s");
    }

    @Test
    void survivedTestEndsASuspicion() {
        age.died(SECOND);
        age.alive(SECOND);

        assertThat(age.testAt()).isEqualTo(IdleTimeoutEstimator.UNKNOWN);
        assertThat(age.isKnown()).isFalse();
    }

    @Test
    void deathOfTheTestIsLearnedWithAWitness() {
        age.died(20 * SECOND);
        age.testDied(20 * SECOND, true);

        assertThat(age.isKnown()).isTrue();
        assertThat(age.isSuspected()).isFalse();
        assertThat(age.keepAliveAt()).isEqualTo(10 * SECOND);
        assertThat(age.value()).isEqualTo("20 s");
        assertThat(age.reason())
                .isEqualTo("a connection idle for 20 s was dead, younger ones were not; keep-alive every 10 s");
    }

    @Test
    void deathOfTheTestWithoutAWitnessDecidesNothing() {
        age.died(20 * SECOND);
        age.testDied(20 * SECOND, false);

        assertThat(age.isKnown()).isFalse();
        assertThat(age.isSuspected()).isTrue();
    }

    @Test
    void forgetsALearnedAgeThatIsOutlived() {
        age.died(20 * SECOND);
        age.testDied(20 * SECOND, true);
        age.alive(20 * SECOND);

        assertThat(age.isKnown()).isFalse();
        assertThat(age.serialized()).isEqualTo("kills=0");
    }

    @Test
    void configuredAgeIsNotLearned() {
        IdleTimeoutEstimator given =
                IdleTimeoutEstimator.pinned(Duration.ofMinutes(4).toNanos());
        given.died(SECOND);
        given.testDied(SECOND, true);
        given.alive(3600 * SECOND);

        assertThat(given.keepAliveAt()).isEqualTo(Duration.ofMinutes(2).toNanos());
        assertThat(given.testAt()).isEqualTo(IdleTimeoutEstimator.UNKNOWN);
        assertThat(given.reason()).isEqualTo("configured; keep-alive every 2 min");
    }

    @Test
    void remembersAcrossARestart() {
        age.died(20 * SECOND);
        age.testDied(20 * SECOND, true);
        IdleTimeoutEstimator again = IdleTimeoutEstimator.parse(age.serialized());

        assertThat(again.keepAliveAt()).isLessThanOrEqualTo(age.keepAliveAt());
        assertThat(again.value()).isEqualTo("20 s");
    }

    @Test
    void ignoresAnInvalidOrOlderState() {
        for (String garbled : new String[] {"", "kills=", "kills=-5", "alive=1 dead=2000000000 deaths=3", "kills=0"}) {
            assertThat(IdleTimeoutEstimator.parse(garbled).isKnown()).isFalse();
        }
        assertThat(IdleTimeoutEstimator.parse(null).isKnown()).isFalse();
    }

    /**
     * A pool whose path forgets all connections at random times, however often: nothing is learned. Simulates what the
     * house keeper does: keep-alive of one connection, and a test beside it, second by second.
     */
    @Property(tries = 200)
    void repeatedLossesOfThePathAreNotLearned(@ForAll long seed, @ForAll @LongRange(min = 2, max = 90) long mean) {
        Random random = new Random(seed);
        IdleTimeoutEstimator learned = new IdleTimeoutEstimator();
        Simulation path = new Simulation(learned, Long.MAX_VALUE);
        for (int i = 0; i < 3600; i++) {
            path.second(random.nextInt((int) mean) == 0);
            assertThat(learned.isKnown()).isFalse();
        }
    }

    /** On a path that kills at some age, that age is found; half of it keeps connections alive. */
    @Property(tries = 200)
    void idleTimeoutIsLearned(@ForAll @LongRange(min = 4, max = 24) long killSeconds) {
        IdleTimeoutEstimator learned = new IdleTimeoutEstimator();
        Simulation path = new Simulation(learned, killSeconds * SECOND);
        for (int i = 0; i < 600; i++) {
            path.second(false);
        }
        assertThat(learned.isKnown()).isTrue();
        assertThat(learned.keepAliveAt()).isLessThan(killSeconds * SECOND).isGreaterThan(killSeconds * SECOND / 4);
    }

    /** Two pooled connections and the extra one; {@code opened}, {@code answered} and {@code dead} of each. */
    private static final class Simulation {
        private static final int TEST = 2;

        private final IdleTimeoutEstimator learned;
        private final long kill;
        private final long[] opened = new long[3];
        private final long[] answered = new long[3];
        private final boolean[] dead = new boolean[3];
        private boolean testing;
        private long now;

        Simulation(IdleTimeoutEstimator learned, long kill) {
            this.learned = learned;
            this.kill = kill;
        }

        void second(boolean lost) {
            now += SECOND;
            for (int i = 0; i < 3; i++) {
                dead[i] |= lost || now - answered[i] >= kill;
            }
            boolean all = false;
            for (int i = 0; i < TEST; i++) {
                if (now - answered[i] >= learned.keepAliveAt() || all) {
                    boolean died = !validate(i);
                    if (died && !all) {
                        all = true;
                        i = -1;
                    }
                }
            }
            test();
        }

        private boolean validate(int i) {
            long idle = now - answered[i];
            answered[i] = now;
            if (!dead[i]) {
                learned.alive(idle);
                return true;
            }
            learned.died(idle);
            opened[i] = now;
            dead[i] = false;
            return false;
        }

        private void test() {
            if (!testing) {
                testing = learned.isSuspected();
                opened[TEST] = now;
                answered[TEST] = now;
                dead[TEST] = false;
            } else if (now - answered[TEST] >= learned.testAt()) {
                long openedAt = opened[TEST];
                long idle = now - answered[TEST];
                testing = false;
                if (!validate(TEST)) {
                    boolean witnessed = false;
                    for (int i = 0; i < TEST; i++) {
                        boolean old = opened[i] <= openedAt;
                        witnessed |= validate(i) && old;
                    }
                    learned.testDied(idle, witnessed);
                }
            }
        }
    }
}
