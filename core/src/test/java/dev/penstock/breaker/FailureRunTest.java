package dev.penstock.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureRunTest {
    @Test
    void countsFromItsFirstFailure() {
        FailureRun run = FailureRun.NONE.next(true, 7, 100).next(true, 7, 200);
        assertThat(run).isEqualTo(new FailureRun(7, 2, 2, 100, 200));
        assertThat(run.nanos(350)).isEqualTo(250);
    }

    @Test
    void anAnswerEndsIt() {
        assertThat(FailureRun.NONE.next(true, 7, 100).next(false, 8, 200)).isEqualTo(new FailureRun(8, 1, 0, 200, 200));
    }

    @Test
    void aLongPauseEndsIt() {
        FailureRun run = FailureRun.NONE.next(true, 7, 100);
        assertThat(run.next(true, 7, 100 + FailureRun.RECENT_NANOS).failures()).isEqualTo(2);
        assertThat(run.next(true, 7, 101 + FailureRun.RECENT_NANOS).failures()).isEqualTo(1);
    }

    @Test
    void aFailureAfterConnectingEndsTheRowThatCouldNotConnect() {
        FailureRun run = FailureRun.NONE.next(true, 7, 100).next(false, 7, 200);
        assertThat(run).isEqualTo(new FailureRun(7, 2, 0, 100, 200));
        assertThat(run.next(true, 7, 300).unconnected()).isEqualTo(1);
    }
}
