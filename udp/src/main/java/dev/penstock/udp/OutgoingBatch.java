package dev.penstock.udp;

import dev.penstock.udp.socket.DatagramBatch;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;

/**
 * Answers on their way out of one socket: slots that are filled one after the other and sent by one call. One thread at a
 * time.
 */
final class OutgoingBatch {
    /** How many go out by one call. */
    static final int SLOTS = 64;

    /** For how long a full send buffer is waited for; the answers that find no room then are lost. */
    private static final long PATIENCE_NANOS = 20_000_000;

    private static final long ONE_WAIT_NANOS = 1_000_000;

    private final UdpSocket socket;
    private final DatagramBatch batch;
    private final SocketReaderCounts counts;
    private int filled;

    OutgoingBatch(UdpSocket socket, int size, SocketReaderCounts counts) {
        this.socket = socket;
        this.batch = socket.batch(SLOTS, size);
        this.counts = counts;
    }

    DatagramBatch batch() {
        return batch;
    }

    /** The slot to fill next. */
    int next() {
        return filled;
    }

    /** It is filled: bytes, length and peer. */
    void add() {
        filled++;
    }

    boolean isFull() {
        return filled == SLOTS;
    }

    boolean isEmpty() {
        return filled == 0;
    }

    /**
     * Sends what is there. Each is counted as answered, or as lost where it was sent.
     *
     * @throws IOException the socket does not work any more; what was left is counted as lost
     */
    void send() throws IOException {
        int from = 0;
        long lost = 0;
        try {
            long waited = 0;
            while (from < filled && waited < PATIENCE_NANOS) {
                int sent = socket.send(batch, from, filled - from);
                if (sent > 0) {
                    from += sent;
                } else if (sent == UdpSocket.UNSENDABLE) {
                    from++;
                    lost++;
                } else {
                    socket.awaitRoom(ONE_WAIT_NANOS);
                    waited += ONE_WAIT_NANOS;
                }
            }
        } finally {
            counts.answered.add(from - lost);
            counts.send.add(filled - from + lost);
            filled = 0;
        }
    }
}
