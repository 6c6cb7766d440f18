package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.limit.LoadSamples.Sample;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class ServiceTimeTest {
    private static final long MS = 1_000_000;

    private final ServiceTime time = new ServiceTime();
    private long now;

    @Test
    void nothingIsKnownAtFirst() {
        stretch(10 * MS, 0, 0, 0, 0, 5);
        assertThat(time.answerNanos()).isZero();
        assertThat(time.holdNanos()).isZero();
    }

    @Test
    void theFirstStretchIsTakenAsItIs() {
        answered(5, 20 * MS);
        assertThat(time.answerNanos()).isEqualTo(20 * MS);
        assertThat(time.holdNanos()).isEqualTo(20 * MS);
        assertThat(time.inFlight()).isEqualTo(5);
    }

    @Test
    void aStrayAttemptOfATrickleDoesNotEvenDoubleIt() {
        trickle(50, 20 * MS);
        stretch(1_000 * MS, 1, 60_000 * MS, 0, 0, 0);
        assertThat(time.answerNanos()).isBetween(20 * MS, 35 * MS);
        trickle(10, 20 * MS);
        assertThat(time.answerNanos()).isCloseTo(20 * MS, Percentage.withPercentage(5));
    }

    @Property
    void aChangeThatLastsIsFollowedWithinAQuarterOfASecondOfLoad(
            @ForAll @LongRange(min = 1, max = 10_000) long before,
            @ForAll @LongRange(min = 1, max = 10_000) long after,
            @ForAll @IntRange(min = 20, max = 1_000) int each) {
        ServiceTime fresh = new ServiceTime();
        long at = 0;
        for (int i = 0; i < 100; i++) {
            at += 10 * MS;
            fresh.sample(answers(at, each, each * before * MS));
        }
        assertThat(fresh.answerNanos()).isCloseTo(before * MS, Percentage.withPercentage(1));
        // The larger the step down, the more stretches: each takes off three sixteenths of it at most.
        for (int i = 0; i < 70; i++) {
            at += 10 * MS;
            fresh.sample(answers(at, each, each * after * MS));
        }
        assertThat(fresh.answerNanos()).isCloseTo(after * MS, Percentage.withPercentage(10));
    }

    @Test
    void whatIsDroppedHoldsItsPermitButTellsNothingOfAnswers() {
        for (int i = 0; i < 100; i++) {
            stretch(10 * MS, 20, 20 * 10 * MS, 20, 20 * 1_000 * MS, 40);
        }
        assertThat(time.answerNanos()).isCloseTo(10 * MS, Percentage.withPercentage(1));
        assertThat(time.holdNanos()).isCloseTo(505 * MS, Percentage.withPercentage(2));
    }

    @Property
    void estimatesStayWithinWhatWasMeasured(@ForAll List<@LongRange(min = 1, max = 1_000_000_000_000L) Long> nanos) {
        ServiceTime fresh = new ServiceTime();
        long least = Long.MAX_VALUE;
        long most = 0;
        long at = 0;
        for (long each : nanos) {
            at += 10 * MS;
            fresh.sample(answers(at, 1, each));
            least = Math.min(least, each);
            most = Math.max(most, each);
            assertThat(fresh.answerNanos()).isBetween(least, most);
        }
    }

    /** So many answers, with as many in flight. */
    private static Sample answers(long to, int count, long nanos) {
        return new Sample(to - 10 * MS, to, count, nanos, count, nanos, count);
    }

    private void trickle(int times, long nanos) {
        for (int i = 0; i < times; i++) {
            stretch(1_000 * MS, 1, nanos, 0, 0, 0);
        }
    }

    private void answered(int count, long nanos) {
        stretch(10 * MS, count, count * nanos, 0, 0, count);
    }

    private void stretch(long length, int answered, long answeredNanos, int dropped, long droppedNanos, int inFlight) {
        time.sample(new Sample(
                now,
                now + length,
                answered,
                answeredNanos,
                answered + dropped,
                answeredNanos + droppedNanos,
                inFlight));
        now += length;
    }
}
