package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.BatchCounts.SendReason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowControllerTest {
    private static final long MS = 1_000_000;
    private static final long NEVER = Long.MAX_VALUE;

    private final CallTime callTime = new CallTime();

    private WindowController controller(double share) {
        return controller(share, -1);
    }

    private WindowController controller(double share, long given) {
        return new WindowController(share, callTime, () -> given);
    }

    /** One request after the other, so far apart, each of which opens a window and looks once; how the last one looked. */
    private static WindowDecision come(WindowController window, long from, int requests, long apart) {
        WindowDecision last = new WindowDecision.Closed(SendReason.GAP);
        int count = 0;
        for (int number = 0; number < requests; number++) {
            long now = from + number * apart;
            if (count == 0) {
                window.opened(now);
            }
            last = window.decide(now, ++count, now, false, NEVER);
            if (last instanceof WindowDecision.Closed) {
                window.closed(now, count, now);
                count = 0;
            }
        }
        return last;
    }

    @Test
    void nobodyWaitsUntilACallHasComeBack() {
        WindowController window = controller(0.1);
        assertThat(come(window, 0, 200, MS)).isEqualTo(new WindowDecision.Closed(SendReason.GAP));
        assertThat(window.reason()).isEqualTo("no call has returned yet, so requests do not wait");
    }

    @Test
    void theBudgetIsAShareOfTheTimeThatCallsTake() {
        callTime.sample(500 * MS);
        assertThat(controller(0.1).budget()).isEqualTo(50 * MS);
        assertThat(controller(0).budget()).isZero();
        assertThat(controller(1).budget()).isEqualTo(500 * MS);
        assertThat(controller(0.1, 7 * MS).budget()).isEqualTo(7 * MS);
        assertThat(controller(0.1, 99_999).budget()).as("too short for a timer").isZero();
    }

    /** At 200 a second, some 10 within the budget of 50 ms; wherever the clock stands. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 400 * MS, Long.MIN_VALUE, -1})
    void aBatchLeavesWithAsManyAsSeldomTakeLongerThanTheBudget(long from) {
        callTime.sample(500 * MS);
        WindowController window = controller(0.1);
        long now = from;
        List<Integer> sizes = new ArrayList<>();
        int count = 0;
        for (int number = 0; number < 1_000; number++, now += 5 * MS) {
            if (count == 0) {
                window.opened(now);
            }
            if (window.decide(now, ++count, now, false, NEVER) instanceof WindowDecision.Closed closed) {
                assertThat(closed.why()).isEqualTo(SendReason.GAP);
                window.closed(now, count, now);
                sizes.add(count);
                count = 0;
            }
        }
        assertThat(sizes.subList(sizes.size() - 20, sizes.size())).allMatch(size -> size >= 6 && size <= 9);
    }

    @Test
    void itLeavesByBudgetDeadlineAndWhenFull() {
        callTime.sample(500 * MS);
        WindowController window = controller(0.1);
        come(window, 0, 400, 5 * MS);
        long now = 2_000 * MS;
        window.closed(now, 1, now);
        window.opened(now);
        assertThat(window.decide(now, 1, now, false, NEVER)).isInstanceOf(WindowDecision.Open.class);
        assertThat(window.decide(now, 1, now, true, NEVER)).isEqualTo(new WindowDecision.Closed(SendReason.FULL));
        assertThat(window.decide(now, 1, now, false, 510 * MS))
                .isEqualTo(new WindowDecision.Closed(SendReason.DEADLINE));
        assertThat(window.decide(now, 1, now, false, 650 * MS))
                .isInstanceOfSatisfying(
                        WindowDecision.Open.class,
                        open -> assertThat(open.until() - now).isEqualTo(650 * MS - (500 + 2 * 500 / 8) * MS));
        assertThat(window.decide(now + 50 * MS, 1, now, false, NEVER))
                .isEqualTo(new WindowDecision.Closed(SendReason.BUDGET));
    }

    @Test
    void aLongSilenceEndsTheWaitBeforeTheBudget() {
        callTime.sample(500 * MS);
        WindowController window = controller(0.1);
        come(window, 0, 2_000, MS);
        long now = 2_000 * MS;
        window.closed(now, 1, now);
        window.opened(now);
        WindowDecision open = window.decide(now, 1, now, false, NEVER);
        assertThat(open)
                .isInstanceOfSatisfying(
                        WindowDecision.Open.class,
                        it -> assertThat(it.until() - now).isBetween(7 * MS, 9 * MS));
        assertThat(window.decide(now + 9 * MS, 1, now, false, NEVER))
                .isEqualTo(new WindowDecision.Closed(SendReason.GAP));
    }

    @Test
    void callsThatAreNotSentAreNotOut() {
        callTime.sample(500 * MS);
        WindowController window = controller(0.1);
        window.opened(0);
        BatchMerging.Call sent = window.closed(0, 1, 0);
        BatchMerging.Call withdrawn = window.closed(0, 2, 0);
        assertThat(window.out()).isEqualTo(2);
        window.notSent(withdrawn);
        window.returned(500 * MS, sent, true, 0, 0);
        assertThat(window.out()).isZero();
    }
}
