package dev.penstock.races.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Ticker;
import dev.penstock.Unknown;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CpuStageTest {
    private static final Duration WAIT = Duration.ofMillis(20);

    private final Clock clock = new Clock();

    /** Advances when someone waits, and slightly at each reading. */
    private static final class Clock implements Ticker {
        long now = Long.MAX_VALUE - 1;
        long eachLook;

        @Override
        public long nanos() {
            now += eachLook;
            return now;
        }

        @Override
        public void parkUntil(long nanos) {
            now = nanos;
        }
    }

    @Test
    void answerProvesTheWaitAndTheWork() throws Exception {
        Stage stage = new CpuStage(new CpuWork(3), WAIT, clock);
        long before = clock.now;

        Long answer = stage.call(7L);

        assertThat(clock.now - before).isEqualTo(WAIT.toNanos());
        assertThat(stage.isRight(answer)).isTrue();
        assertThat(stage.isRight(new CpuWork(2).end())).isFalse();
    }

    @Test
    void closeEndsRunningRequests() {
        Stage stage = new CpuStage(new CpuWork(1_000), WAIT, clock);
        clock.eachLook = 1_000;
        stage.closeAt(clock.now + WAIT.toNanos() + 50_000);

        assertThatThrownBy(() -> stage.call(1L)).isInstanceOf(Unknown.class).hasMessage("the stage has closed");
        assertThat(clock.now - (Long.MAX_VALUE - 1)).as("at once").isLessThan(WAIT.toNanos() + 60_000);
    }

    @Test
    void interruptedRequestDoesNoWork() {
        Stage stage = new CpuStage(new CpuWork(1), WAIT, clock);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> stage.call(1L)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void countsWorkInPieces() {
        assertThat(new CpuWork(2).end()).isEqualTo(CpuWork.piece(CpuWork.piece(1)));
        assertThat(new CpuWork(1).end()).isNotEqualTo(new CpuWork(2).end());
        assertThatIllegalArgumentException().isThrownBy(() -> new CpuWork(0)).withMessageContaining("not 0");
    }
}
