package dev.penstock.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.breaker.BreakerController.Tally;
import dev.penstock.breaker.BreakerState.Closed;
import dev.penstock.breaker.BreakerState.HalfOpen;
import dev.penstock.breaker.BreakerState.Open;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BreakerControllerTest {
    private static final long SECOND = 1_000_000_000L;
    private static final BreakerController CONTROLLER = new BreakerController(5, 0.5, 20, 5 * SECOND, 60 * SECOND, 3);
    private static final Tally FIVE_UNCONNECTED = new Tally(5, 5, 5);

    @Test
    void theTimeItStaysOpenDoublesUpToItsMost() {
        BreakerState state = CONTROLLER.afterFailure(new Closed(0), FIVE_UNCONNECTED, 0);
        long now = 0;
        long[] expected = {5, 10, 20, 40, 60, 60};
        for (long seconds : expected) {
            assertThat(state)
                    .isInstanceOfSatisfying(
                            Open.class, open -> assertThat(open.openNanos()).isEqualTo(seconds * SECOND));
            now += seconds * SECOND;
            state = CONTROLLER.afterFailure(CONTROLLER.admit(state, now), new Tally(0, 1, 1), now);
        }
    }

    @Test
    void trialCallsThatNeverEndAreForgottenAfterAWhile() {
        BreakerState state = new HalfOpen(7, 3, 0, 5 * SECOND, 100 * SECOND);
        assertThat(CONTROLLER.admit(state, 99 * SECOND)).isEqualTo(state);
        BreakerState anew = CONTROLLER.admit(state, 100 * SECOND);
        assertThat(CONTROLLER.letsThrough(state, anew)).isTrue();
        assertThat(anew.spell()).isEqualTo(8);
    }

    @Test
    void trialCallsThatTakeLongerThanItWasOpenCloseItInTheEnd() {
        BreakerState state = CONTROLLER.admit(new Open(1, 0, 5 * SECOND, "no answer"), 0);
        Map<Long, Long> trials = new TreeMap<>(Map.of(12L, state.spell()));
        for (long second = 1; second < 60 && !(state instanceof Closed); second++) {
            if (trials.getOrDefault(second, -1L) == state.spell()) {
                state = CONTROLLER.afterAnswer(state);
            }
            BreakerState after = CONTROLLER.admit(state, second * SECOND);
            if (CONTROLLER.letsThrough(state, after)) {
                trials.put(second + 12, after.spell());
            }
            state = after;
        }
        assertThat(state).isInstanceOf(Closed.class);
    }

    /** Random calls that end at random, by a model of the shell: only what belongs to the current spell counts. */
    @Property(tries = 500)
    void neverMoreTrialCallsThanAllowedAndEveryStepIsOneOfTheDrawing(
            @ForAll @Size(max = 200) List<@IntRange(max = 5) Integer> events) {
        BreakerState state = new Closed(0);
        Deque<Long> out = new ArrayDeque<>();
        int failuresInRow = 0;
        long now = 0;
        for (int event : events) {
            BreakerState before = state;
            now += SECOND;
            if (event <= 1) {
                BreakerState after = CONTROLLER.admit(state, now);
                if (CONTROLLER.letsThrough(state, after)) {
                    out.add(after.spell());
                }
                state = after;
            } else if (event == 5) {
                now += 10 * SECOND;
            } else if (!out.isEmpty() && out.remove() == state.spell()) {
                failuresInRow = event == 3 ? failuresInRow + 1 : 0;
                state = switch (event) {
                    case 2 -> CONTROLLER.afterAnswer(state);
                    case 3 ->
                        CONTROLLER.afterFailure(state, new Tally(failuresInRow, failuresInRow, failuresInRow), now);
                    default -> CONTROLLER.afterNothing(state);
                };
            }
            assertStep(before, state);
            if (state instanceof HalfOpen half) {
                long trials =
                        out.stream().filter(spell -> spell == half.spell()).count();
                assertThat(trials).isEqualTo(half.trialsOut()).isBetween(0L, 3L);
            }
        }
    }

    private static void assertStep(BreakerState from, BreakerState to) {
        boolean legal = switch (from) {
            case Closed closed -> to.equals(closed) || to instanceof Open;
            case Open open -> to.equals(open) || to instanceof HalfOpen;
            case HalfOpen half -> true;
        };
        assertThat(legal).as(from + " to " + to).isTrue();
        assertThat(to.spell()).isBetween(from.spell(), from.spell() + 1);
    }
}
