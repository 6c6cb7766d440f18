package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EndingTest {
    @Test
    void endingsCarryNoStackTraceBecauseTheyAreExpected() {
        assertThat(new Rejected(Rejected.Cause.LIMIT, "full").getStackTrace()).isEmpty();
        assertThat(new Failed(Failed.Cause.CONNECT, "refused").getStackTrace()).isEmpty();
        assertThat(new Unknown(Unknown.Cause.TIMEOUT, "late").getStackTrace()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void noUnknownEndingIsRepeatableWithoutAKey(Unknown.Cause cause) {
        assertThat(new Unknown(cause, "").isRetryable()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void ofTheFailuresOnlyWhatIsNotAtTheTargetIsRepeatable(Failed.Cause cause) {
        boolean absent =
                cause == Failed.Cause.CONNECT || cause == Failed.Cause.NOT_THERE || cause == Failed.Cause.ROLLED_BACK;
        assertThat(new Failed(cause, "").isRetryable()).isEqualTo(absent);
    }

    @ParameterizedTest
    @EnumSource
    void aRejectionIsRepeatableUnlessAnotherAttemptCouldNotDoBetter(Rejected.Cause cause) {
        boolean hopeless = cause == Rejected.Cause.DEADLINE || cause == Rejected.Cause.DRAINING;
        assertThat(new Rejected(cause, "").isRetryable()).isEqualTo(!hopeless);
    }

    @Test
    void everyEndingHasItsWord() {
        Unanswered ending = new Rejected(Rejected.Cause.QUEUE, "");
        assertThat(ending.ending() + " " + ending.causeName()).isEqualTo("rejected queue");
    }
}
