package dev.penstock.races.udpburst;

import dev.penstock.Ticker;
import dev.penstock.udp.socket.Volley;

/**
 * What came back for the datagrams of one shot: each number once. When one was sent is remembered for the latest of them only,
 * more than any buffer holds. Nothing here allocates while it counts. For one thread.
 */
final class Answers implements Volley.Taker {
    private static final int REMEMBERED = 1 << 18;

    private final Ticker ticker;
    private final long[] sentAt;
    private final long first;
    private final long[] seen;
    private long sent;
    private long answered;
    private long wrong;
    private long longestNanos;
    private long lastAt;

    /**
     * Of a shot.
     *
     * @param first the number of its first datagram
     * @param count how many it has
     * @param sentAt {@link #memory}, which shots may share
     */
    Answers(Ticker ticker, long first, long count, long[] sentAt) {
        this.ticker = ticker;
        this.first = first;
        this.sentAt = sentAt;
        this.seen = new long[Math.toIntExact((count + Long.SIZE - 1) / Long.SIZE)];
        this.lastAt = ticker.nanos();
    }

    static long[] memory() {
        return new long[REMEMBERED];
    }

    /** Takes note that the next ones were sent. */
    void sent(int count, long at) {
        for (long index = sent; index < sent + count; index++) {
            sentAt[(int) (index % REMEMBERED)] = at;
        }
        sent += count;
    }

    @Override
    public void answer(long number, boolean right) {
        long index = number - first;
        if (index < 0 && number >= 0) {
            return; // of an earlier shot, which has counted it as lost
        }
        if (!right || index < 0 || index >= sent || isSeen(index)) {
            wrong++;
            return;
        }
        seen[(int) (index / Long.SIZE)] |= 1L << index;
        answered++;
        lastAt = ticker.nanos();
        if (index >= sent - REMEMBERED) {
            longestNanos = Math.max(longestNanos, lastAt - sentAt[(int) (index % REMEMBERED)]);
        }
    }

    private boolean isSeen(long index) {
        return (seen[(int) (index / Long.SIZE)] & 1L << index) != 0;
    }

    long sent() {
        return sent;
    }

    long answered() {
        return answered;
    }

    long wrong() {
        return wrong;
    }

    long longestNanos() {
        return longestNanos;
    }

    /** When the last answer came; when the shot began while none did. */
    long lastAt() {
        return lastAt;
    }
}
