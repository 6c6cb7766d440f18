package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.CallContext;
import dev.penstock.Rejected;
import dev.penstock.collapse.Together.Caller;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DeadlineWatchTest {
    private static final long MS = 1_000_000;

    /** Shortly before its readings overflow. */
    private final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 3 * MS);

    private final DeadlineWatch<String, String> watch = new DeadlineWatch<>(ticker);
    private final Batch<String, String> batch = Pure.batchOfThree(Pure.item("without a caller", Long.MAX_VALUE));

    /** A caller with so many milliseconds joins the batch and waits. */
    private Caller join(long millis) {
        Caller caller = Caller.of(() -> {
            CallContext callContext = CallContext.begin(ticker);
            try {
                callContext.allow(millis * MS);
                BatchItem<String, String> item =
                        BatchItem.of("q", Thread.currentThread(), callContext, false, Pure.settings(3));
                assertThat(batch.join(item)).isTrue();
                assertThat(watch.covers(item.arrival(), item.left(item.arrival())))
                        .isTrue();
                return Pure.word(item.await(ticker, true));
            } finally {
                callContext.end();
            }
        });
        caller.awaitWaiting();
        return caller;
    }

    @Test
    void oneThreadWakesEachCallerAtItsDeadlineAlsoThatOfALaterOne() throws Exception {
        watch.add(batch);
        assertThat(ticker.parked()).as("nobody has a deadline").isZero();
        Caller patient = join(5);
        Caller hasty = join(2);
        ticker.awaitParked(1);
        ticker.advance(Duration.ofNanos(2 * MS - 1));
        assertThat(hasty.answer().isDone()).isFalse();
        ticker.advance(Duration.ofNanos(1));
        assertThat(hasty.answered()).isEqualTo("rejected");
        assertThat(patient.answer().isDone()).isFalse();
        batch.seal(ticker.nanos(), Pure.UNKNOWN);
        ticker.advance(Duration.ofNanos(3 * MS));
        assertThat(patient.answered()).isEqualTo("unknown");
        Together.await(() -> ticker.parked() == 0, "the thread ends");
    }

    @Test
    void whoJoinedBeforeTheBatchWasWatchedIsWokenToo() throws Exception {
        Caller hasty = join(2);
        watch.add(batch);
        ticker.advance(Duration.ofNanos(2 * MS));
        assertThat(hasty.answered()).isEqualTo("rejected");
    }

    @Test
    void aBatchThatIsNotWatchedAnyMoreKeepsNoThreadWaiting() {
        watch.add(batch);
        join(5);
        ticker.awaitParked(1);
        batch.endAll(new Rejected(Rejected.Cause.DRAINING, "test"));
        watch.remove(batch);
        ticker.advance(Duration.ofNanos(5 * MS));
        Together.await(() -> ticker.parked() == 0, "the thread ends");
    }
}
