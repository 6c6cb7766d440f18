package dev.penstock.lab.datagram;

/**
 * Decides how many datagrams are sent now: a time goes in, a count comes out. It waits for nothing itself.
 *
 * <p>A sender that was held up sends what is due since, but not more than a bound: those beyond it are shed, never sent, for a
 * receiver that is hit by them would be judged by the sender's own stall. Bursts are never shed but when the next one is due.
 *
 * <p>For one thread.
 */
final class DatagramPace {
    private final Cadence cadence;
    private final long count;
    private final long mostBehind;
    private final int batch;
    private long next;
    private long shed;

    /**
     * The pace of one load.
     *
     * @param cadence when they are due
     * @param lasting nanoseconds; what is due later is not sent
     * @param catchUp nanoseconds; what is due for longer is shed
     * @param batch how many go at once at most
     */
    DatagramPace(Cadence cadence, long lasting, long catchUp, int batch) {
        this.cadence = cadence;
        this.count = cadence.due(lasting - 1);
        this.batch = batch;
        this.mostBehind = switch (cadence) {
            case Cadence.Steady steady -> Math.max(batch, steady.due(catchUp));
            case Cadence.Bursts bursts -> bursts.size();
        };
    }

    /**
     * How many are to be sent now; 0 when none is due.
     *
     * @param nanos since the start
     */
    int ready(long nanos) {
        long due = Math.min(count, cadence.due(nanos));
        long behind = due - next;
        if (behind > mostBehind) {
            shed += behind - mostBehind;
            next = due - mostBehind;
        }
        return (int) Math.min(batch, due - next);
    }

    /** So many of what was ready are sent. */
    void taken(int sent) {
        next += sent;
    }

    /** The number of the next one. */
    long next() {
        return next;
    }

    /** When the next one is due, in nanoseconds since the start. */
    long nextAt() {
        return cadence.at(next);
    }

    /** Nothing is left to send. */
    boolean isOver() {
        return next >= count;
    }

    /** What was due and never sent. */
    long shed() {
        return shed;
    }

    /** Gives up what is not sent yet, and was due by a time. */
    void stop(long nanos) {
        long due = Math.min(count, cadence.due(nanos));
        shed += Math.max(0, due - next);
        next = count;
    }
}
