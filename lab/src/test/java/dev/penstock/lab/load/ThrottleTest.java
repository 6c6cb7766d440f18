package dev.penstock.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
            long place = throttle.place(now);
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
            assertThat(throttle.place(at)).isEqualTo(at);
        }
        assertThat(throttle.heldBack()).isZero();
        assertThat(throttle.place(10 * SECOND)).isEqualTo(10 * SECOND);
        assertThat(throttle.place(10 * SECOND)).isEqualTo(10 * SECOND + SECOND / 10);
        assertThat(throttle.heldBack()).isOne();
    }

    @Test
    void lessThanNothingIsNoRate() {
        assertThatThrownBy(() -> Throttle.perSecond(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
