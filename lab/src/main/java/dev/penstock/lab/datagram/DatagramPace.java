package dev.penstock.lab.datagram;

/**
 * Decides how many datagrams to send now from the time. Waits for nothing itself.
 *
 * <p>A delayed sender sends what became due meanwhile, up to a limit; datagrams beyond it are shed (never sent),
 * because a receiver overrun by them would be judged by the sender's own stall. A burst is shed only when the next one
 * is due.
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
     * @param cadence send times
     * @param lasting nanoseconds; later datagrams are not sent
     * @param catchUp nanoseconds; datagrams overdue for longer are shed
     * @param batch maximum datagrams per call
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
     * The number of datagrams to send now; 0 when none is due.
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

    /** Records that this many of those ready were sent. */
    void taken(int sent) {
        next += sent;
    }

    /** The number of the next datagram. */
    long next() {
        return next;
    }

    /** The send time of the next datagram, in nanoseconds since the start. */
    long nextAt() {
        return cadence.at(next);
    }

    /** Whether nothing is left to send. */
    boolean isOver() {
        return next >= count;
    }

    /** The number of datagrams that were due and never sent. */
    long shed() {
        return shed;
    }

    /** Gives up datagrams that were due by this time and not sent yet. */
    void stop(long nanos) {
        long due = Math.min(count, cadence.due(nanos));
        shed += Math.max(0, due - next);
        next = count;
    }
}
