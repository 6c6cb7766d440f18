package dev.penstock.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.breaker.BreakerController.Share;
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
    private static final Tally NOTHING = new Tally(new Share(0, 0), new Share(0, 0), 0);
    private static final Tally ALL_FAIL = new Tally(new Share(30, 30), new Share(3, 3), 0);

    @Test
    void theTimeItStaysOpenDoublesUpToItsMost() {
        BreakerState state = new Open(1, 5 * SECOND, 5 * SECOND, null, "nobody could connect");
        long now = 0;
        long[] expected = {5, 10, 20, 40, 60, 60};
        for (long seconds : expected) {
            assertThat(state)
                    .isInstanceOfSatisfying(
                            Open.class, open -> assertThat(open.openNanos()).isEqualTo(seconds * SECOND));
            now += seconds * SECOND;
            state = CONTROLLER.admit(CONTROLLER.admit(state, 0, now), 0, now);
            assertThat(CONTROLLER.afterFailure(state, false, NOTHING, now)).isInstanceOf(HalfOpen.class);
            state = CONTROLLER.afterFailure(CONTROLLER.afterFailure(state, false, NOTHING, now), false, NOTHING, now);
        }
    }

    /** Of 3 trial calls, as many have to fail as of all others: 2 at 50 %, all at 90 %. */
    @Test
    void trialCallsAreHeldToTheShareOfAllCalls() {
        BreakerController patient = new BreakerController(5, 0.9, 20, SECOND, 60 * SECOND, 3);
        HalfOpen begun = new HalfOpen(1, 3, 0, 0, SECOND, 100 * SECOND);
        assertThat(CONTROLLER.afterAnswer(begun)).isInstanceOf(HalfOpen.class);
        assertThat(CONTROLLER.afterAnswer(CONTROLLER.afterAnswer(begun))).isEqualTo(Closed.fresh(2));
        assertThat(patient.afterAnswer(begun)).isEqualTo(Closed.fresh(2));
        BreakerState twoFailed =
                patient.afterFailure(patient.afterFailure(begun, false, NOTHING, 0), false, NOTHING, 0);
        assertThat(twoFailed).isInstanceOf(HalfOpen.class);
        assertThat(patient.admit(twoFailed, 0, 0))
                .as("three are enough to decide")
                .isEqualTo(twoFailed);
        assertThat(patient.afterAnswer(twoFailed)).isEqualTo(Closed.fresh(2));
        assertThat(patient.afterFailure(twoFailed, false, NOTHING, 0))
                .isInstanceOfSatisfying(
                        Open.class, open -> assertThat(open.reason()).isEqualTo("3 of 3 trial calls failed after 1 s"));
    }

    @Test
    void aRowOfFailuresWithoutAnAnswerOpensItWhenItIsLongAndHasLasted() {
        BreakerState state = Closed.fresh(0);
        for (int failure = 0; failure < 19; failure++) {
            state = CONTROLLER.afterFailure(state, false, withAnswers(8), failure * SECOND / 20);
        }
        assertThat(CONTROLLER.afterFailure(state, false, withAnswers(8), SECOND - 1))
                .isInstanceOf(Closed.class);
        assertThat(CONTROLLER.afterFailure(state, false, withAnswers(9), SECOND))
                .isInstanceOf(Closed.class);
        assertThat(CONTROLLER.afterFailure(state, false, withAnswers(8), SECOND))
                .isEqualTo(new Open(
                        1, 6 * SECOND, 5 * SECOND, 8L, "20 calls in a row failed and none was answered for 1 s"));
    }

    private static Tally withAnswers(long answers) {
        return new Tally(new Share(0, 0), new Share(0, 0), answers);
    }

    @Test
    void aRowOpensItWhenItIsLongAndHasLasted() {
        BreakerState state = Closed.fresh(0);
        for (int failure = 0; failure < 100; failure++) {
            state = CONTROLLER.afterFailure(state, true, NOTHING, failure * SECOND / 100);
        }
        assertThat(state).isInstanceOf(Closed.class);
        assertThat(CONTROLLER.afterFailure(state, true, NOTHING, SECOND)).isInstanceOf(Open.class);
        assertThat(CONTROLLER.afterFailure(state, true, withAnswers(1), SECOND)).isInstanceOf(Closed.class);
    }

    @Test
    void aShareOpensItWhenItIsReachedAllTheTime() {
        BreakerState state = CONTROLLER.afterFailure(Closed.fresh(0), false, ALL_FAIL, 0);
        assertThat(CONTROLLER.afterFailure(state, false, ALL_FAIL, SECOND - 1)).isInstanceOf(Closed.class);
        assertThat(CONTROLLER.afterFailure(state, false, ALL_FAIL, SECOND)).isInstanceOf(Open.class);
        Tally betterLately = new Tally(new Share(30, 30), new Share(1, 3), 0);
        BreakerState better = CONTROLLER.afterFailure(state, false, betterLately, SECOND - 1);
        assertThat(CONTROLLER.afterFailure(better, false, ALL_FAIL, SECOND)).isInstanceOf(Closed.class);
    }

    @Test
    void aSilenceLastsFiveTimesTheAnswerTimeAndTwoSecondsAtLeast() {
        NoAnswer silence = NoAnswer.NONE.next(7, true, 0);
        BreakerState closed = Closed.fresh(0);
        assertThat(CONTROLLER.afterCheck(closed, silence, 1, 20, 2 * SECOND - 1))
                .isEqualTo(closed);
        assertThat(CONTROLLER.afterCheck(closed, silence, 1, 20, 2 * SECOND))
                .isEqualTo(new Open(
                        1,
                        7 * SECOND,
                        5 * SECOND,
                        7L,
                        "20 calls are in flight and none was answered for 2 s; answers took 1 ns before"));
        assertThat(CONTROLLER.afterCheck(closed, silence, SECOND, 20, 5 * SECOND - 1))
                .isEqualTo(closed);
        assertThat(CONTROLLER.afterCheck(closed, silence, SECOND, 20, 5 * SECOND))
                .isInstanceOf(Open.class);
        assertThat(CONTROLLER.afterCheck(closed, silence, 0, 20, 500 * SECOND)).isEqualTo(closed);
    }

    @Test
    void aSilenceEndsWithAnAnswerOrWhenFewAreOut() {
        NoAnswer silence = NoAnswer.NONE.next(7, true, 0).next(7, true, SECOND);
        assertThat(silence.nanos(3 * SECOND)).isEqualTo(3 * SECOND);
        assertThat(silence.next(8, true, 2 * SECOND).nanos(3 * SECOND)).isEqualTo(SECOND);
        assertThat(silence.next(7, false, 2 * SECOND).nanos(3 * SECOND)).isZero();
    }

    @Test
    void asManyAnswersAsTrialsEndASilenceBeforeItsTime() {
        Open silent = new Open(4, 5 * SECOND, 5 * SECOND, 100L, "silence");
        assertThat(CONTROLLER.admit(silent, 102, SECOND)).isEqualTo(silent);
        assertThat(CONTROLLER.admit(silent, 103, SECOND)).isEqualTo(Closed.fresh(5));
        Open failing = new Open(4, 5 * SECOND, 5 * SECOND, null, "they failed");
        assertThat(CONTROLLER.admit(failing, 103, SECOND)).isEqualTo(failing);
    }

    @Test
    void trialCallsThatNeverEndAreForgottenAfterAWhile() {
        BreakerState state = new HalfOpen(7, 3, 0, 0, 5 * SECOND, 100 * SECOND);
        assertThat(CONTROLLER.admit(state, 0, 99 * SECOND)).isEqualTo(state);
        BreakerState anew = CONTROLLER.admit(state, 0, 100 * SECOND);
        assertThat(CONTROLLER.admits(state, anew)).isTrue();
        assertThat(anew.epoch()).isEqualTo(8);
    }

    @Test
    void trialCallsThatTakeLongerThanItWasOpenCloseItInTheEnd() {
        BreakerState state = CONTROLLER.admit(new Open(1, 0, 5 * SECOND, null, "no answer"), 0, 0);
        Map<Long, Long> trials = new TreeMap<>(Map.of(12L, state.epoch()));
        for (long second = 1; second < 60 && !(state instanceof Closed); second++) {
            if (trials.getOrDefault(second, -1L) == state.epoch()) {
                state = CONTROLLER.afterAnswer(state);
            }
            BreakerState after = CONTROLLER.admit(state, 0, second * SECOND);
            if (CONTROLLER.admits(state, after)) {
                trials.put(second + 12, after.epoch());
            }
            state = after;
        }
        assertThat(state).isInstanceOf(Closed.class);
    }

    /** Random calls that end at random, by a model of the shell: only what belongs to the current spell counts. */
    @Property(tries = 1_000)
    void neverMoreTrialCallsThanAllowedAndEveryStepIsOneOfTheDrawing(
            @ForAll @Size(max = 300) List<@IntRange(max = 7) Integer> events) {
        Model model = new Model();
        for (int event : events) {
            BreakerState before = model.state;
            model.happens(event);
            assertStep(before, model.state);
            if (model.state instanceof HalfOpen half) {
                assertThat(model.trialsInFlight())
                        .isEqualTo(half.trialsInFlight())
                        .isBetween(0L, 3L);
            }
        }
    }

    /** Whatever happened: once the target is well again and calls come, it closes. */
    @Property(tries = 500)
    void everyOpeningIsFollowedByTrialCallsAndByAClosingWhenTheyAreAnswered(
            @ForAll @Size(max = 300) List<@IntRange(max = 7) Integer> events) {
        Model model = new Model();
        events.forEach(model::happens);
        model.out.clear(); // whatever is out never ends
        for (int minute = 0; minute < 3 && !(model.state instanceof Closed); minute++) {
            model.now += 60 * SECOND;
            int admitted = 0;
            for (int call = 0; call < 3 && model.call(); call++) {
                admitted++;
            }
            assertThat(admitted).as(model.state.toString()).isPositive();
            while (!model.out.isEmpty()) {
                model.end(2);
            }
        }
        assertThat(model.state).isInstanceOf(Closed.class);
    }

    /** Calls that each end within the burst open nothing, however many and in whatever order, when it is shorter than a second. */
    @Property(tries = 500)
    void noBurstShorterThanASecondOpensIt(@ForAll @Size(max = 300) List<@IntRange(min = 2, max = 3) Integer> endings) {
        BreakerState state = Closed.fresh(0);
        for (int ending = 0; ending < endings.size(); ending++) {
            long now = ending * (SECOND - 1) / endings.size();
            state = endings.get(ending) == 2
                    ? CONTROLLER.afterAnswer(state)
                    : CONTROLLER.afterFailure(state, true, ALL_FAIL, now);
            assertThat(state).isInstanceOf(Closed.class);
        }
    }

    /** The shell without threads. */
    private static final class Model {
        private BreakerState state = Closed.fresh(0);
        private final Deque<Long> out = new ArrayDeque<>();
        private NoAnswer silence = NoAnswer.NONE;
        private long answers;
        private long now;

        void happens(int event) {
            now += SECOND / 2;
            switch (event) {
                case 0, 1 -> call();
                case 5 -> now += 10 * SECOND;
                case 6 -> look();
                default -> end(event);
            }
        }

        boolean call() {
            BreakerState after = CONTROLLER.admit(state, answers, now);
            boolean through = CONTROLLER.admits(state, after);
            if (through) {
                out.add(after.epoch());
                state = after;
            }
            return through;
        }

        void look() {
            silence = silence.next(answers, !out.isEmpty(), now);
            state = CONTROLLER.afterCheck(state, silence, SECOND / 10, out.size(), now);
        }

        /** The call that is out for longest is answered (2), could not connect (3), failed (7), or ended as nothing. */
        void end(int how) {
            if (out.isEmpty()) {
                return;
            }
            answers += how == 2 ? 1 : 0;
            if (out.remove() == state.epoch()) {
                state = switch (how) {
                    case 2 -> CONTROLLER.afterAnswer(state);
                    case 3 -> CONTROLLER.afterFailure(state, true, NOTHING, now);
                    case 7 -> CONTROLLER.afterFailure(state, false, ALL_FAIL, now);
                    default -> CONTROLLER.afterIgnored(state);
                };
            }
        }

        long trialsInFlight() {
            return out.stream().filter(epoch -> epoch == state.epoch()).count();
        }
    }

    private static void assertStep(BreakerState from, BreakerState to) {
        boolean legal = switch (from) {
            case Closed closed -> to.epoch() == closed.epoch() ? to instanceof Closed : to instanceof Open;
            case Open open ->
                to.equals(open) || to instanceof HalfOpen || (to instanceof Closed && open.answersBefore() != null);
            case HalfOpen half -> true;
        };
        assertThat(legal).as(from + " to " + to).isTrue();
        assertThat(to.epoch()).isBetween(from.epoch(), from.epoch() + 1);
    }
}
