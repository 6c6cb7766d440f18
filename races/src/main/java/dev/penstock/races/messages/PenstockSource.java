package dev.penstock.races.messages;

import dev.penstock.Source;
import dev.penstock.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.function.IntSupplier;

/**
 * Ours: a source that receives as many messages as its flow can hold.
 *
 * @param source the source
 * @param inFlight the number of messages that it has in flight
 */
public record PenstockSource(Source source, IntSupplier inFlight) implements MessageConsumer {
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);
    private static final long POLL_NANOS = 1_000_000;

    /** Starts a source. */
    public static PenstockSource started(Source source, IntSupplier inFlight) throws IOException {
        source.start();
        return new PenstockSource(source, inFlight);
    }

    @Override
    public void close() {
        source.stopAccepting();
        long until = Ticker.SYSTEM.nanos() + DRAIN_TIMEOUT.toNanos();
        while (inFlight.getAsInt() > 0 && Ticker.SYSTEM.nanos() - until < 0) {
            Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + POLL_NANOS);
        }
        source.close(); // gives unfinished messages back
    }
}
