package dev.penstock.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.BreakerSettings;
import dev.penstock.breaker.BreakerController.Share;
import dev.penstock.breaker.BreakerController.Tally;
import dev.penstock.breaker.BreakerState.Closed;
import dev.penstock.kit.World;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A breaker with its default settings before targets that fail at random, in virtual time. */
class BreakerSimulationTest {
    private static final long MS = World.MILLI;
    private static final long ANSWER = 50 * MS;
    private static final int MINUTES = 10;

    private final BreakerController controller = BreakerController.of(BreakerSettings.DEFAULTS);
    private final World world = new World();
    private final Deque<Long> failures = new ArrayDeque<>();
    private final Deque<Long> answers = new ArrayDeque<>();
    private SplittableRandom random = new SplittableRandom(1);
    private BreakerState state = Closed.fresh(0);
    private NoAnswer silence = NoAnswer.NONE;
    private DoubleSupplier failing = () -> 0;
    private long failAfter;
    private boolean couldNotConnect;
    private long offered;
    private long sent;
    private long answered;
    private int out;

    @ParameterizedTest
    @CsvSource({
        "2, 0.2, 1, false", "2, 0.4, 1, false", "2, 0.5, 1, false", "2, 0.6, 1, false", "2, 0.6, 1000, false",
        "2, 0.5, 1, true", "2, 0.6, 1, true", "20, 0.5, 1, false", "20, 0.6, 1, false", "20, 0.6, 1000, false",
        "20, 0.6, 1, true", "200, 0.2, 1, false", "200, 0.5, 1, false", "200, 0.6, 1, false", "200, 0.6, 1000, false",
        "200, 0.6, 1, true"
    })
    void aTargetThatAnswersAUsefulShareIsNotCutOff(double rate, double share, long failAfterMs, boolean connecting) {
        for (int seed = 1; seed <= 5; seed++) {
            offer(seed, rate, failAfterMs, connecting, () -> share, MINUTES * 60);
            assertThat(answered / (offered * (1 - share)))
                    .as("seed %d: %d of %d answered, %s", seed, answered, offered, state)
                    .isGreaterThanOrEqualTo(0.9);
        }
    }

    /** Fails, or cannot be reached, from the tenth second on. */
    @ParameterizedTest
    @CsvSource({"20, 1, true", "200, 1, true", "30, 1, false", "200, 1, false", "200, 1000, false"})
    void aDeadTargetIsCutOffWithinTwoSecondsOfItsFirstFailure(double rate, long failAfterMs, boolean connecting) {
        offer(1, rate, failAfterMs, connecting, () -> world.now() < 10 * World.SECOND ? 0.1 : 1, 10);
        long before = sent;
        offerMore(rate, (2_000 + failAfterMs) * MS);
        assertThat(state).isNotInstanceOf(Closed.class);
        assertThat(sent - before).isLessThanOrEqualTo((long) (rate * (2 + 2 * failAfterMs / 1_000.0)));
        long cutOff = sent;
        offerMore(rate, 60 * World.SECOND);
        assertThat(sent - cutOff).as("trial calls of a minute").isLessThan(25);
    }

    @ParameterizedTest
    @CsvSource({"100", "400"})
    void aTargetThatSaysNothingMoreIsCutOffWithinThreeSeconds(double rate) {
        offer(1, rate, 30_000, false, () -> world.now() < 10 * World.SECOND ? 0 : 1, 10);
        offerMore(rate, 3 * World.SECOND);
        assertThat(state).isNotInstanceOf(Closed.class);
    }

    /** It is back after 5 s: as soon as a trial call is answered, everything passes. */
    @ParameterizedTest
    @CsvSource({"20", "200"})
    void aTargetThatIsBackIsServedAgain(double rate) {
        offer(1, rate, 1, false, () -> world.now() < 5 * World.SECOND ? 1 : 0, 5);
        offerMore(rate, 5 * World.SECOND);
        assertThat(state).isInstanceOf(Closed.class);
    }

    private void offer(int seed, double rate, long failAfterMs, boolean connecting, DoubleSupplier share, int seconds) {
        random = new SplittableRandom(seed);
        state = Closed.fresh(0);
        failures.clear();
        answers.clear();
        failing = share;
        failAfter = failAfterMs * MS;
        couldNotConnect = connecting;
        offered = 0;
        sent = 0;
        answered = 0;
        if (silence == NoAnswer.NONE) {
            look();
        }
        offerMore(rate, seconds * World.SECOND);
    }

    private void offerMore(double rate, long nanos) {
        long end = world.now() + nanos;
        arrive(rate, end);
        world.runUntil(end);
    }

    private void arrive(double rate, long end) {
        long at = world.now() + (long) (-Math.log(1 - random.nextDouble()) * World.SECOND / rate);
        if (at < end) {
            world.at(at, () -> {
                call();
                arrive(rate, end);
            });
        }
    }

    private void call() {
        offered++;
        BreakerState after = controller.admit(state, answered, world.now());
        if (!controller.admits(state, after)) {
            return;
        }
        state = after;
        sent++;
        out++;
        long epoch = after.epoch();
        boolean fails = random.nextDouble() < failing.getAsDouble();
        world.in(fails ? failAfter : ANSWER, () -> end(fails, epoch));
    }

    private void end(boolean failed, long epoch) {
        out--;
        (failed ? failures : answers).add(world.now());
        answered += failed ? 0 : 1;
        if (epoch == state.epoch()) {
            state = failed
                    ? controller.afterFailure(state, couldNotConnect, tally(), world.now())
                    : controller.afterAnswer(state);
        }
    }

    /** As the shell does, but by a clock. */
    private void look() {
        silence = silence.next(answered, controller.isEnoughForSilence(out), world.now());
        state = controller.afterCheck(state, silence, ANSWER, out, world.now());
        world.in(Breaker.CHECK_INTERVAL_NANOS, this::look);
    }

    private Tally tally() {
        return new Tally(share(10 * World.SECOND), share(World.SECOND), answered);
    }

    private Share share(long nanos) {
        long failed = recent(failures, nanos);
        return new Share(failed, failed + recent(answers, nanos));
    }

    private long recent(Deque<Long> times, long nanos) {
        while (!times.isEmpty() && times.getFirst() <= world.now() - 10 * World.SECOND) {
            times.removeFirst();
        }
        if (nanos == 10 * World.SECOND) {
            return times.size();
        }
        long count = 0;
        for (Iterator<Long> last = times.descendingIterator(); last.hasNext() && last.next() > world.now() - nanos; ) {
            count++;
        }
        return count;
    }
}
