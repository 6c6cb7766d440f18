package dev.penstock.http;

import dev.penstock.http.http2.Http2Connection;
import dev.penstock.http.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records the times of one exchange over HTTP/2, like {@link ExchangeClock} for HTTP/1.1. Not thread-safe.
 *
 * <p>Connections are shared. The time to open one counts as connecting for the calls that waited from its start; for a call
 * that arrived later, it counts as waiting.
 */
final class Http2Clock {
    private final long startedAt = System.nanoTime();
    private long leasedAt;
    private long connecting;
    private long securing;
    private long beganSending;
    private @Nullable Http2Stream stream;

    /** A stream slot on a connection was acquired. */
    void leased(Http2Connection connection) {
        leasedAt = System.nanoTime();
        if (connection.startedAt() - startedAt >= 0) {
            connecting = connection.connecting();
            securing = connection.securing();
        }
    }

    /** Nanoseconds since the start. */
    long waited() {
        return System.nanoTime() - startedAt;
    }

    /** The call is passed to its connection. */
    long sending(Http2Stream sent) {
        beganSending = System.nanoTime();
        stream = sent;
        return beganSending;
    }

    ExchangeTimes times(boolean answered) {
        long endedAt = System.nanoTime();
        long sentAt = stream == null ? 0 : stream.sentAt();
        long firstByteAt = sentAt == 0 || stream == null ? 0 : stream.firstByteAt();
        long opening = connecting + securing;
        long waiting = Math.max(0, (leasedAt == 0 ? endedAt : leasedAt) - startedAt - opening);
        long sending = beganSending == 0 ? 0 : Math.max(0, (sentAt == 0 ? endedAt : sentAt) - beganSending);
        long answering = sentAt == 0 ? 0 : Math.max(0, (firstByteAt == 0 ? endedAt : firstByteAt) - sentAt);
        long receiving = firstByteAt == 0 ? 0 : endedAt - firstByteAt;
        long total = endedAt - startedAt;
        long inside = Math.max(0, total - waiting - opening - sending - answering - receiving);
        return new ExchangeTimes(waiting, connecting, securing, sending, answering, receiving, inside, total, answered);
    }
}
