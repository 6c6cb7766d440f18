package dev.penstock.http;

import dev.penstock.Ticker;

/** Takes the times of one exchange. Each moment is read once; what did not happen has none. For one thread. */
final class ExchangeClock {
    private final Ticker ticker;
    private final long startedAt;
    private long enteredAt;
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

    /** There is a place. */
    void entered() {
        enteredAt = ticker.nanos();
    }

    long enteredAt() {
        return enteredAt;
    }

    /** There is a place, and a look at what lies idle. A first try over a connection that had ended counts as waiting. */
    long leased() {
        leasedAt = ticker.nanos();
        beganSending = 0;
        opening = false;
        return leasedAt;
    }

    /** Nothing idle was found: one is being opened from now on. */
    void opening() {
        opening = true;
    }

    /**
     * It is open.
     *
     * @param tcpAt when TCP was through
     * @param tlsAt when TLS was, or the same
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

    /**
     * The exchange has ended.
     *
     * @param answerAt when the first byte of an answer came; 0 when none did
     */
    long ended(long answerAt) {
        endedAt = ticker.nanos();
        firstByteAt = sentAt == 0 ? 0 : answerAt;
        return endedAt;
    }

    long endedAt() {
        return endedAt;
    }

    ExchangeTimes times(boolean answered) {
        // Who found no place has ended now.
        long endedAt = enteredAt == 0 ? ticker.nanos() : this.endedAt;
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
