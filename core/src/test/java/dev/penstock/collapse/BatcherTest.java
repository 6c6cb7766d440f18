package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Transit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

class BatcherTest {
    private static final long MINUTE = 60_000_000_000L;

    private final Ticker ticker = Pure.at(7);
    private final BatchTally tally = new BatchTally(ticker);
    private final List<Runnable> started = new ArrayList<>();
    private final List<List<String>> sent = new ArrayList<>();

    private int answers;

    /** Threads that run only when they are told to. */
    private final ThreadFactory threads = work -> new Thread(work) {
        @Override
        public void start() {
            started.add(work);
        }
    };

    private Batcher<String, String> batcher() {
        Departure<String, String> departure = new Departure<>(
                requests -> {
                    sent.add(List.copyOf(requests));
                    return Endings.answered(requests);
                },
                Pure.UNKNOWN);
        Service<Batch<String, String>, Endings<String>> guarded = batch -> {
            Endings<String> endings = departure.call(batch);
            answers++;
            return endings;
        };
        Carrier<String, String> carrier = new Carrier<>(guarded, true, Pure.UNKNOWN, tally, ticker, threads);
        return new Batcher<>(() -> Pure.settings(9), carrier, Pure.UNKNOWN, tally, ticker, threads);
    }

    /** Comes, and is interrupted before its batch is sent. */
    private String comeAndGo(Batcher<String, String> batcher) throws Exception {
        Transit transit = Transit.begin(ticker);
        Thread.currentThread().interrupt();
        try {
            return Pure.word(batcher.call("hasty", transit));
        } finally {
            boolean unused = Thread.interrupted();
            transit.end();
        }
    }

    @Test
    void aBatchThatAllHaveLeftIsNotSentAndNotOut() throws Exception {
        Batcher<String, String> batcher = batcher();
        assertThat(comeAndGo(batcher)).isEqualTo("rejected");
        assertThat(comeAndGo(batcher)).isEqualTo("rejected");
        assertThat(batcher.isIdle(7 + 2 * MINUTE, MINUTE))
                .as("its batch is open")
                .isFalse();
        assertThat(tally.report().waiting()).isEqualTo(2);
        started.removeFirst().run();
        assertThat(started).as("one batch for both").isEmpty();
        assertThat(sent).isEmpty();
        assertThat(answers).as("what breaker and limit would take for one").isZero();
        assertThat(tally.report().waiting()).isZero();
        assertThat(tally.report().count()).isZero();
        assertThat(batcher.isIdle(7 + MINUTE - 1, MINUTE))
                .as("it was used of late")
                .isFalse();
        assertThat(batcher.isIdle(7 + MINUTE, MINUTE)).isTrue();
    }
}
