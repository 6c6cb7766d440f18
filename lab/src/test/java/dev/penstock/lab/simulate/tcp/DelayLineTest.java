package dev.penstock.lab.simulate.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.simulate.tcp.DelayLine.Piece;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class DelayLineTest {
    private final DelayLine line = new DelayLine();

    @Test
    void whatIsSentLaterNeverOvertakes() {
        line.put(piece(1, Long.MAX_VALUE, StreamEnd.NONE));
        line.put(piece(2, Long.MAX_VALUE - 5, StreamEnd.NONE));
        line.put(piece(3, Long.MIN_VALUE + 5, StreamEnd.FIN)); // later by 6: readings overflow

        assertThat(line.take()).satisfies(p -> assertThat(p.bytes()).hasSize(1));
        assertThat(line.take()).satisfies(p -> assertThat(p.due()).isEqualTo(Long.MAX_VALUE));
        assertThat(line.take()).satisfies(p -> {
            assertThat(p.due()).isEqualTo(Long.MIN_VALUE + 5);
            assertThat(p.end()).isEqualTo(StreamEnd.FIN);
        });
    }

    @Test
    void aFullLineMakesTheSenderWait() throws Exception {
        line.put(piece(DelayLine.MAX_BYTES, 0, StreamEnd.NONE));
        CompletableFuture<Boolean> sender = waitingSender();
        assertThat(line.take()).isNotNull();

        assertThat(sender.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(line.take()).satisfies(p -> assertThat(p.bytes()).hasSize(7));
    }

    @Test
    void closingWakesAllAndTellsWhatIsLost() throws Exception {
        line.put(piece(DelayLine.MAX_BYTES, 0, StreamEnd.NONE));
        CompletableFuture<Boolean> sender = waitingSender();

        assertThat(line.close()).isEqualTo(DelayLine.MAX_BYTES);
        assertThat(sender.get(60, TimeUnit.SECONDS)).isFalse();
        assertThat(line.take()).isNull();
        assertThat(line.close()).isZero();
    }

    private CompletableFuture<Boolean> waitingSender() {
        CompletableFuture<Boolean> sent = new CompletableFuture<>();
        Thread sender = new Thread(() -> sent.complete(line.put(piece(7, 0, StreamEnd.NONE))));
        sender.start();
        while (sender.getState() != Thread.State.WAITING) {
            assertThat(sent).as("it has to wait").isNotDone();
            Thread.onSpinWait();
        }
        return sent;
    }

    private static Piece piece(int bytes, long due, StreamEnd end) {
        return new Piece(new byte[bytes], due, end);
    }
}
