package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Rejected;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallTimeTest {
    private static final long MS = 1_000_000;

    private final CallTime callTime = new CallTime();

    @Test
    void beforeAnyCallNothingIsKnownAndOnlyWhatHasNoTimeIsHopeless() {
        assertThat(callTime.isKnown()).isFalse();
        assertThat(callTime.isHopeless(1)).isFalse();
        assertThat(callTime.isHopeless(0)).isTrue();
    }

    @Test
    void aStrayCallDoesNotBlowItUpAndAChangeThatLastsIsFollowed() {
        callTime.sample(100 * MS);
        callTime.sample(60_000 * MS);
        assertThat(callTime.mean()).isEqualTo((100 + 300 / 8.0) * MS);
        for (int call = 0; call < 40; call++) {
            callTime.sample(1_000 * MS);
        }
        assertThat(callTime.mean()).isBetween(950.0 * MS, 1_000.0 * MS);
    }

    @Test
    void whatHasLessThanTheShortestOfLateIsHopelessAndTheShortestIsForgotten() {
        callTime.sample(10 * MS);
        for (int call = 0; call < 127; call++) {
            assertThat(callTime.isHopeless(10 * MS)).as("after %d calls", call).isFalse();
            callTime.sample(50 * MS);
        }
        callTime.sample(50 * MS);
        assertThat(callTime.isHopeless(49 * MS)).isTrue();
        assertThat(callTime.isHopeless(50 * MS)).isFalse();
        Rejected ending = callTime.hopeless(49 * MS);
        assertThat(ending.why()).isEqualTo(Rejected.Cause.DEADLINE);
        assertThat(ending)
                .hasMessage("not sent with 49 ms left before the deadline, since no recent call took less than 50 ms");
        assertThat(callTime.hopeless(0)).hasMessage("the deadline passed before its batch was sent");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 300 * MS, Long.MIN_VALUE})
    void oneTrialInAWhileIsDueWhereverTheClockStands(long from) {
        callTime.sample(50 * MS);
        assertThat(callTime.isTrialDue(0, from)).as("no time at all").isFalse();
        assertThat(callTime.isTrialDue(MS, from)).isTrue();
        assertThat(callTime.isTrialDue(MS, from + 499 * MS)).isFalse();
        assertThat(callTime.isTrialDue(MS, from + 500 * MS)).isTrue();
    }
}
