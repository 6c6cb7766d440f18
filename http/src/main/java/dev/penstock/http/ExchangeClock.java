package dev.penstock.http;

import dev.penstock.Ticker;

/** Records the times of one exchange. Each time is recorded once; steps that did not happen have none. Not thread-safe. */
final class ExchangeClock {
    private final Ticker ticker;
    private final long startedAt;
    private long permitAcquiredAt;
    private boolean opening;
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

    long startedAt() {
        return startedAt;
    }

    /** A permit was acquired. */
    void permitAcquired() {
        permitAcquiredAt = ticker.nanos();
    }

    long permitAcquiredAt() {
        return permitAcquiredAt;
    }

    /** The idle connections were checked. After a stale connection this is called again: the first attempt counts as waiting. */
    long leased() {
        leasedAt = ticker.nanos();
        beganSending = 0;
        opening = false;
        return leasedAt;
    }

    /** No idle connection was found; one is opened. */
    void opening() {
        opening = true;
    }

    /**
     * A connection was opened.
     *
     * @param tcpAt when TCP was connected
     * @param tlsAt when the TLS handshake was complete; without TLS the same as {@code tcpAt}
     */
    void opened(long tcpAt, long tlsAt) {
        connectedAt = tcpAt;
        securedAt = tlsAt;
        readyAt = ticker.nanos();
    }

    long sending() {
        beganSending = ticker.nanos();
        return beganSending;
    }

    void sent() {
        sentAt = ticker.nanos();
    }

    /** The first byte of the answer was received, at a time of the ticker; 0 for none. */
    void firstByte(long at) {
        firstByteAt = at;
    }

    /** The answer is complete. */
    long ended() {
        endedAt = ticker.nanos();
        return endedAt;
    }

    ExchangeTimes times(boolean answered) {
        // An exchange without an answer ends now.
        long endedAt = this.endedAt == 0 ? ticker.nanos() : this.endedAt;
        long waiting = (leasedAt == 0 ? endedAt : leasedAt) - startedAt;
        long connecting = opening ? (readyAt == 0 ? endedAt : connectedAt) - leasedAt : 0;
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
