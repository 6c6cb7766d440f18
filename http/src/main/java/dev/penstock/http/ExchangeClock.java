package dev.penstock.http;

import dev.penstock.Ticker;
import dev.penstock.http.pool.Connection;
import org.jspecify.annotations.Nullable;

/** Takes the times of one exchange. Each moment is read once; what did not happen has none. For one thread. */
final class ExchangeClock {
    private final Ticker ticker;
    private final long startedAt;
    private long leasedAt;
    private long connectedAt;
    private long securedAt;
    private long readyAt;
    private long beganSending;
    private long sentAt;
    private long firstByteAt;
    private long endedAt;

    ExchangeClock(Ticker ticker) {
        this.ticker = ticker;
        this.startedAt = ticker.nanos();
    }

    long leased() {
        leasedAt = ticker.nanos();
        return leasedAt;
    }

    void opened(Connection connection) {
        connectedAt = connection.openedAt();
        securedAt = connection.securedAt();
        readyAt = ticker.nanos();
    }

    long sending() {
        beganSending = ticker.nanos();
        return beganSending;
    }

    void sent() {
        sentAt = ticker.nanos();
    }

    /** The exchange has ended. */
    long ended(@Nullable Connection connection) {
        endedAt = ticker.nanos();
        firstByteAt = connection == null || sentAt == 0 ? 0 : connection.firstByteAt();
        return endedAt;
    }

    long endedAt() {
        return endedAt;
    }

    ExchangeTimes times(boolean answered) {
        long waiting = (leasedAt == 0 ? endedAt : leasedAt) - startedAt;
        long connecting = readyAt == 0 ? 0 : connectedAt - leasedAt;
        long securing = readyAt == 0 ? 0 : securedAt - connectedAt;
        long sending = beganSending == 0 ? 0 : (sentAt == 0 ? endedAt : sentAt) - beganSending;
        long answering = sentAt == 0 ? 0 : (firstByteAt == 0 ? endedAt : firstByteAt) - sentAt;
        long receiving = firstByteAt == 0 ? 0 : endedAt - firstByteAt;
        long total = endedAt - startedAt;
        long inside = total - waiting - connecting - securing - sending - answering - receiving;
        return new ExchangeTimes(
                waiting, connecting, securing, sending, answering, receiving, Math.max(0, inside), total, answered);
    }
}
