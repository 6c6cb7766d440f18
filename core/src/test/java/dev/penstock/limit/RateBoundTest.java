package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RateBoundTest {
    private static final long INTERVAL = 1_000_000;
    private static final double RATE = 1.0 / INTERVAL;
    private static final long FOREVER = Long.MAX_VALUE;

    private final RateBound rate = new RateBound();

    @Test
    void withoutABoundNothingWaits() {
        assertThat(rate.isSet()).isFalse();
        assertThat(rate.perSecond()).isInfinite();
        assertThat(rate.reserve(5, 0)).isZero();
        rate.set(RATE, 0);
        assertThat(rate.isSet()).isTrue();
        rate.clear();
        assertThat(rate.reserve(0, 0)).isZero();
        assertThat(rate.reserve(0, 0)).isZero();
    }

    @Property
    void slotsAreEvenlySpacedFromAnyOriginOfTheTicker(
            @ForAll long origin, @ForAll @IntRange(min = 1, max = 1_000_000_000) int interval) {
        rate.set(1.0 / interval, origin);
        long last = rate.reserve(origin, FOREVER);
        assertThat(last).isZero();
        for (int call = 0; call < 10; call++) {
            long next = rate.reserve(origin, FOREVER);
            assertThat(next - last).isBetween(interval - 1L, (long) interval);
            last = next;
        }
        assertThat(rate.reserve(origin + last / 2, FOREVER))
                .isBetween(last / 2 + interval - 2, last / 2 + interval + 1);
    }

    @Test
    void aQuietTimeEarnsNoBurst() {
        rate.set(RATE, 0);
        assertThat(rate.reserve(0, FOREVER)).isZero();
        assertThat(rate.reserve(100 * INTERVAL, FOREVER)).isZero();
        assertThat(rate.reserve(100 * INTERVAL, FOREVER)).isEqualTo(INTERVAL);
    }

    @Test
    void whoCannotWaitTakesNoSlot() {
        rate.set(RATE, 0);
        assertThat(rate.reserve(0, 0)).isZero();
        assertThat(rate.reserve(0, INTERVAL - 1)).isEqualTo(-1);
        assertThat(rate.reserve(0, INTERVAL)).isEqualTo(INTERVAL);
        assertThat(rate.waiting(0)).isEqualTo(2);
        assertThat(rate.waiting(INTERVAL)).isEqualTo(1);
        assertThat(rate.waiting(9 * INTERVAL)).isZero();
    }

    @Test
    void threadsGetDifferentSlots() throws InterruptedException {
        rate.set(RATE, 0);
        Queue<Long> slots = new ConcurrentLinkedQueue<>();
        List<Thread> callers = IntStream.range(0, 4)
                .mapToObj(caller -> Thread.ofPlatform().start(() -> {
                    for (int call = 0; call < 5_000; call++) {
                        slots.add(rate.reserve(0, FOREVER));
                    }
                }))
                .toList();
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(slots.stream().sorted())
                .containsExactlyElementsOf(LongStream.range(0, 20_000)
                        .mapToObj(slot -> slot * INTERVAL)
                        .toList());
    }

    private void callsWait(long now, int calls) {
        for (int call = 0; call < calls; call++) {
            rate.reserve(now, FOREVER);
        }
    }

    @Test
    void risesWhileCallsWaitAndOnlyThen() {
        rate.set(RATE, 0);
        rate.follow(0, 100, 0, 0);
        assertThat(rate.perNano()).isEqualTo(RATE);
        callsWait(0, 10);
        rate.follow(0, 100, 0, 0);
        assertThat(rate.perNano()).isGreaterThan(1.1 * RATE);
    }

    @Test
    void refusalsLowerItButNotBelowWhatCameThrough() {
        rate.set(RATE, 0);
        rate.follow(0, 100, 1, 0);
        assertThat(rate.perNano()).isLessThan(RATE);
        rate.follow(0, 100, 1_000, 0.7 * RATE);
        assertThat(rate.perNano()).isBetween(0.7 * RATE, 0.85 * RATE);
        rate.follow(0, 100, 1_000, 0.7 * RATE);
        rate.follow(0, 100, 1_000, 0.7 * RATE);
        rate.follow(0, 100, 1_000, 0.7 * RATE);
        assertThat(rate.perNano()).isEqualTo(0.7 * RATE);
    }

    @Test
    void callsThatHaveTheirSlotsDoNotLowerItAgain() {
        rate.set(RATE, 0);
        callsWait(0, 10);
        rate.follow(0, 0, 1, 0);
        double lowered = rate.perNano();
        assertThat(lowered).isCloseTo(0.9 * RATE, within(1e-6 * RATE));
        rate.follow(9 * INTERVAL, 0, 10, 0);
        assertThat(rate.perNano()).isEqualTo(lowered);
        rate.follow(10 * INTERVAL, 0, 1, 0);
        assertThat(rate.perNano()).isLessThan(lowered);
    }

    @Test
    void risesSlowlyNearWhereItWasRefusedAndQuicklyBelow() {
        rate.set(RATE, 0);
        for (int refusal = 0; refusal < 10; refusal++) {
            rate.follow(0, 0, 1, 0);
        }
        callsWait(0, 50);
        double last = rate.perNano();
        rate.follow(0, 10, 0, 0);
        assertThat(rate.perNano() / last - 1).isBetween(1e-5, 5e-4);
        rate.lowerTo(0.1 * RATE);
        rate.follow(0, 100, 0, 0);
        assertThat(rate.perNano()).isGreaterThan(0.13 * RATE);
    }

    /** A target that takes so many calls in each interval. */
    @Test
    void settlesWhereFewCallsAreRefused() {
        rate.set(RATE, 0);
        long now = 0;
        long calls = 0;
        long refused = 0;
        long freeAt = 0;
        for (int call = 0; call < 100_000; call++) {
            callsWait(now, call == 0 ? 10 : 1);
            now += (long) (1 / rate.perNano());
            long is = now >= freeAt ? 0 : 1;
            freeAt = is == 0 ? now + INTERVAL / 2 : freeAt;
            rate.follow(now, 1, is, 0);
            if (call > 20_000) {
                calls++;
                refused += is;
            }
        }
        assertThat((double) refused / calls).isLessThan(0.06);
        assertThat(rate.perNano()).isBetween(1.8 * RATE, 2.1 * RATE);
    }
}
