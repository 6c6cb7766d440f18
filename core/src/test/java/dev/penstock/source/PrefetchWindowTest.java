package dev.penstock.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PrefetchWindowTest {
    @Test
    void isTheCapacityOfTheFlowPlusAnEighth() {
        AtomicInteger capacity = new AtomicInteger(80);
        PrefetchWindow prefetchWindow = new PrefetchWindow(0, capacity::get);
        end(prefetchWindow, 160);
        assertThat(prefetchWindow.available()).isEqualTo(90);
        take(prefetchWindow, 90);
        assertThat(prefetchWindow.available()).isZero();
        capacity.set(160);
        assertThat(prefetchWindow.available()).isEqualTo(90);
        capacity.set(0);
        assertThat(prefetchWindow.available()).isZero();
        assertThat(prefetchWindow.setting().value()).isEqualTo("1");
    }

    @Test
    void prefetchesNothingUntilAsManyHaveEndedAsTheFlowProcesses() {
        AtomicInteger capacity = new AtomicInteger(200);
        PrefetchWindow prefetchWindow = new PrefetchWindow(0, capacity::get);
        take(prefetchWindow, 200);
        assertThat(prefetchWindow.available()).as("none waits for a permit").isZero();
        for (int n = 0; n < 199; n++) {
            prefetchWindow.release();
        }
        assertThat(prefetchWindow.available()).isEqualTo(199);
        assertThat(prefetchWindow.setting().reason())
                .isEqualTo("the flow processes 200 at the same time; more are prefetched when as many have ended");
        prefetchWindow.release();
        assertThat(prefetchWindow.available()).isEqualTo(225);
    }

    @Test
    void boundsAFlowWithoutALimit() {
        PrefetchWindow prefetchWindow = new PrefetchWindow(0, () -> Integer.MAX_VALUE);
        assertThat(prefetchWindow.available()).isEqualTo(PrefetchWindow.WITHOUT_LIMIT);
        assertThat(prefetchWindow.maxInFlight()).isEqualTo(PrefetchWindow.WITHOUT_LIMIT);
        assertThat(new PrefetchWindow(7, () -> Integer.MAX_VALUE).available()).isEqualTo(7);
    }

    @Test
    void messageBetweenAttemptsFreesItsPlaceInTheFlow() {
        PrefetchWindow prefetchWindow = new PrefetchWindow(10, () -> 4);
        end(prefetchWindow, 4);
        take(prefetchWindow, 5);
        assertThat(prefetchWindow.available()).isZero();
        prefetchWindow.startWaiting();
        prefetchWindow.startWaiting();
        assertThat(prefetchWindow.available()).isEqualTo(2);
        take(prefetchWindow, 5);
        assertThat(prefetchWindow.available()).isZero();
    }

    @Property
    void neverExceedsTheBound(
            @ForAll @IntRange(min = 1, max = 50) int bound,
            @ForAll List<@IntRange(min = 0, max = 60) Integer> capacities) {
        AtomicInteger capacity = new AtomicInteger();
        PrefetchWindow prefetchWindow = new PrefetchWindow(bound, capacity::get);
        for (int now : capacities) {
            capacity.set(now);
            while (prefetchWindow.tryReserve()) {
                if (now % 3 == 0) {
                    prefetchWindow.cancelReservation();
                    break;
                }
                prefetchWindow.takeReserved();
            }
            assertThat(prefetchWindow.inFlight()).isLessThanOrEqualTo(bound);
            if (now % 2 == 0 && prefetchWindow.inFlight() > 0) {
                prefetchWindow.release();
            }
        }
        assertThat(prefetchWindow.inFlightMax()).isLessThanOrEqualTo(bound);
    }

    private static void end(PrefetchWindow prefetchWindow, int count) {
        for (int n = 0; n < count; n++) {
            prefetchWindow.take();
            prefetchWindow.release();
        }
    }

    private static void take(PrefetchWindow prefetchWindow, int count) {
        for (int n = 0; n < count; n++) {
            prefetchWindow.take();
        }
    }
}
