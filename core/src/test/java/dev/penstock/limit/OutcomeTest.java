package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.limit.LimitController.Outcome;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What each ending without an answer says about the target. */
class OutcomeTest {
    @ParameterizedTest
    @EnumSource
    void whatWasNotSentShowsNothingAboutTheTarget(Rejected.Cause cause) {
        assertThat(Outcome.of(new Rejected(cause, ""))).isEqualTo(Outcome.IGNORED);
    }

    @ParameterizedTest
    @EnumSource
    void aFaultOfThisProcessShowsNothingAboutTheTarget(Unknown.Cause cause) {
        assertThat(Outcome.of(Unknown.ofThisProcess(cause, "", null))).isEqualTo(Outcome.IGNORED);
    }

    @ParameterizedTest
    @EnumSource(names = "NOT_THERE", mode = Mode.EXCLUDE)
    void aFailureMayComeOfTheLoad(Failed.Cause cause) {
        assertThat(Outcome.of(new Failed(cause, ""))).isEqualTo(Outcome.FAILED);
    }

    @ParameterizedTest
    @EnumSource(names = {"CLOSED", "GARBLED", "ERROR"})
    void aCallThatEndedWithoutAnAnswerMayComeOfTheLoad(Unknown.Cause cause) {
        assertThat(Outcome.of(new Unknown(cause, ""))).isEqualTo(Outcome.FAILED);
    }

    @Test
    void anyExceptionMayComeOfTheLoad() {
        assertThat(Outcome.of(new IOException("HTTP 503"))).isEqualTo(Outcome.FAILED);
        assertThat(Outcome.of(new IllegalStateException("HTTP 503"))).isEqualTo(Outcome.FAILED);
    }

    @Test
    void aTimeoutIsOverload() {
        assertThat(Outcome.of(new Unknown(Unknown.Cause.TIMEOUT, ""))).isEqualTo(Outcome.DROPPED);
    }

    @Test
    void whatTheTargetWorkedOnCounts() {
        assertThat(Outcome.of(new Failed(Failed.Cause.NOT_THERE, ""))).isEqualTo(Outcome.SUCCESS);
    }

    @Test
    void anInterruptAndAnErrorAreNotTheTargets() {
        assertThat(Outcome.of(new Unknown(Unknown.Cause.INTERRUPTED, ""))).isEqualTo(Outcome.IGNORED);
        assertThat(Outcome.of(new InterruptedException())).isEqualTo(Outcome.IGNORED);
        assertThat(Outcome.of(new OutOfMemoryError())).isEqualTo(Outcome.IGNORED);
    }
}
