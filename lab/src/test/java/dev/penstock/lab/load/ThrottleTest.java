package dev.penstock.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Ticker;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class ThrottleTest {
    private static final long SECOND = 1_000_000_000;

    @Property(tries = 100)
    void noSecondHasMoreHoweverTheyCome(
            @ForAll @DoubleRange(min = 1, max = 500) double most, @ForAll @LongRange(min = -5, max = 5) long seed) {
        Throttle throttle = Throttle.perSecond(most);
        Random random = new Random(seed);
        long now = seed * SECOND;
        Deque<Long> lastSecond = new ArrayDeque<>();
        for (int i = 0; i < 2_000; i++) {
            now += random.nextInt(3) == 0 ? (long) (random.nextDouble() * 3 * SECOND / most) : 0;
            long place = throttle.reserve(now);
            assertThat(place).isGreaterThanOrEqualTo(now);
            lastSecond.add(place);
            while (place - lastSecond.getFirst() >= SECOND) {
                lastSecond.removeFirst();
            }
            assertThat(lastSecond).hasSizeLessThanOrEqualTo((int) Math.ceil(most));
        }
    }

    @Test
    void whoComesSeldomIsNotHeldBack() {
        Throttle throttle = Throttle.perSecond(10);
        for (long at = 0; at < 10 * SECOND; at += SECOND / 10) {
            assertThat(throttle.reserve(at)).isEqualTo(at);
        }
        assertThat(throttle.reserve(10 * SECOND)).isEqualTo(10 * SECOND);
        assertThat(throttle.reserve(10 * SECOND)).isEqualTo(10 * SECOND + SECOND / 10);
    }

    @Test
    void aLoadCountsWhatWasHeldBackOfItsOwnOnly() throws InterruptedException {
        assertThat(heldBack(400, 2)).isZero();
        assertThat(heldBack(10, 0)).isGreaterThanOrEqualTo(Duration.ofMillis(3 * 90));
    }

    /** How long: 4 calls of one caller, at 10 a second, while somebody else takes so many places at each. */
    private static Duration heldBack(long millis, int others) throws InterruptedException {
        ManualTicker ticker = new ManualTicker();
        Ticker jumping = new Ticker() {
            @Override
            public long nanos() {
                return ticker.nanos();
            }

            @Override
            public void parkUntil(long nanos) {
                ticker.advance(Duration.ofNanos(Math.max(0, nanos - ticker.nanos())));
            }
        };
        Throttle throttle = Throttle.perSecond(10);
        ClosedLoad load =
                ClosedLoad.of(1, Duration.ZERO).throttledBy(throttle).count(4).ticker(jumping);
        load.run(
                number -> {
                    for (int i = 0; i < others; i++) {
                        throttle.reserve(ticker.nanos());
                    }
                    ticker.advance(Duration.ofMillis(millis));
                    return number;
                },
                number -> number);
        return load.heldBack();
    }

    @Test
    void lessThanNothingIsNoRate() {
        assertThatThrownBy(() -> Throttle.perSecond(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
