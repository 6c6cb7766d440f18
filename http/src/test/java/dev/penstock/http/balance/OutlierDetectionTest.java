package dev.penstock.http.balance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.balance.OutlierDetection.CallOutcome;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** When endpoints are ejected, for how long, and how they return. */
class OutlierDetectionTest {
    private static final long SECOND = 1_000_000_000L;

    /** Near the overflow of the clock. */
    private long now = Long.MAX_VALUE - SECOND;

    private final OutlierDetection three = new OutlierDetection(3, now);

    private void call(int endpoint, CallOutcome outcome) {
        assertThat(three.isAvailable(endpoint, now)).isTrue();
        three.begin(endpoint);
        three.end(endpoint, outcome, now, now);
    }

    private void fail(int endpoint, int times) {
        for (int i = 0; i < times; i++) {
            call(endpoint, CallOutcome.FAILURE);
        }
    }

    @Test
    void fiveFailuresInARowEject() {
        fail(0, 4);
        call(0, CallOutcome.SUCCESS);
        fail(0, 4);
        call(0, CallOutcome.NEUTRAL);
        assertThat(three.state(0, now)).isEqualTo("in use, 4 failures in a row");
        assertThat(three.isAvailable(0, now)).isTrue();
        fail(0, 1);
        assertThat(three.isAvailable(0, now)).isFalse();
        assertThat(three.ejectedFor(0, now)).isEqualTo(SECOND);
        assertThat(three.state(0, now)).isEqualTo("ejected for 1 s, after 5 failures in a row");
        assertThat(three.isAvailable(1, now)).isTrue();
    }

    @Test
    void atMostHalfAreEjected() {
        fail(0, 5);
        fail(1, 50);
        assertThat(three.isAvailable(1, now)).isTrue();
        now += SECOND;
        call(0, CallOutcome.SUCCESS);
        fail(1, 1);
        assertThat(three.isAvailable(1, now)).isFalse();
        OutlierDetection one = new OutlierDetection(1, now);
        IntStream.range(0, 50).forEach(i -> one.end(0, CallOutcome.FAILURE, now, now));
        assertThat(one.isAvailable(0, now)).isTrue();
    }

    @Test
    void oneTrialCallAtATimeDecidesAndEachFailureDoublesTheTime() {
        fail(0, 5);
        for (long seconds : new long[] {2, 4, 8, 16, 32, 60, 60}) {
            now += three.ejectedFor(0, now) - 1;
            assertThat(three.isAvailable(0, now)).isFalse();
            now++;
            assertThat(three.state(0, now)).startsWith("ejected until a trial call succeeds");
            three.begin(0);
            assertThat(three.isAvailable(0, now)).isFalse();
            three.end(0, CallOutcome.NEUTRAL, now, now);
            fail(0, 1);
            assertThat(three.ejectedFor(0, now)).isEqualTo(seconds * SECOND);
        }
        now += 60 * SECOND;
        call(0, CallOutcome.SUCCESS);
        three.begin(0);
        assertThat(three.isAvailable(0, now)).isTrue();
        assertThat(three.state(0, now)).isEqualTo("in use, 0 failures in a row");
        assertThat(three.ejections(0)).isEqualTo(8);
    }

    @Test
    void theTimeIsShortAgainAfterAMinuteOfService() {
        fail(0, 5);
        now += SECOND;
        call(0, CallOutcome.SUCCESS);
        now += 60 * SECOND - 1;
        fail(0, 5);
        assertThat(three.ejectedFor(0, now)).isEqualTo(2 * SECOND);
        now += 2 * SECOND;
        call(0, CallOutcome.SUCCESS);
        now += 60 * SECOND;
        fail(0, 5);
        assertThat(three.ejectedFor(0, now)).isEqualTo(SECOND);
    }

    @Test
    void callsFromBeforeTheEjectionDoNotCount() {
        long before = now;
        fail(0, 5);
        now += SECOND / 2;
        three.end(0, CallOutcome.FAILURE, before, now);
        assertThat(three.ejectedFor(0, now)).isEqualTo(SECOND / 2);
        now += SECOND / 2;
        three.begin(0);
        three.end(0, CallOutcome.SUCCESS, before, now);
        assertThat(three.isAvailable(0, now)).isFalse();
        three.end(0, CallOutcome.SUCCESS, now, now);
        assertThat(three.isAvailable(0, now)).isTrue();
    }

    /** A random walk: never more than half are out, no ejection is longer than 60 s, and all return once calls succeed. */
    @Property(tries = 200)
    void whateverHappensMostServeAndAllReturn(@ForAll @IntRange(min = 1, max = 9) int count, @ForAll long seed) {
        Random random = new Random(seed);
        long time = random.nextLong();
        OutlierDetection all = new OutlierDetection(count, time);
        for (int step = 0; step < 500; step++) {
            int endpoint = random.nextInt(count);
            if (all.isAvailable(endpoint, time)) {
                long begunAt = time;
                all.begin(endpoint);
                time += random.nextLong(SECOND);
                all.end(endpoint, CallOutcome.values()[random.nextInt(3)], begunAt, time);
            }
            time += random.nextLong(SECOND);
            long current = time;
            assertThat(IntStream.range(0, count).filter(one -> all.ejectedFor(one, current) > 0))
                    .hasSizeLessThanOrEqualTo(count / 2);
            assertThat(all.ejectedFor(endpoint, time)).isBetween(0L, 60 * SECOND);
        }
        time += 60 * SECOND;
        for (int endpoint = 0; endpoint < count; endpoint++) {
            assertThat(all.isAvailable(endpoint, time)).isTrue();
            all.begin(endpoint);
            all.end(endpoint, CallOutcome.SUCCESS, time, time);
            assertThat(all.state(endpoint, time)).isEqualTo("in use, 0 failures in a row");
        }
    }
}
