package dev.penstock.udp;

import dev.penstock.udp.SocketReader.SocketReaderCounts;
import dev.penstock.udp.socket.DatagramBatch;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;

/**
 * A batch of answers for one socket: slots are filled one after the other and sent by one call. Not safe for many threads.
 */
final class OutgoingBatch {
    /** The maximum number of answers per call. */
    static final int SLOTS = 64;

    /** How long to wait for room in a full send buffer; answers that do not fit then are lost. */
    private static final long MAX_WAIT_NANOS = 20_000_000;

    private static final long WAIT_STEP_NANOS = 1_000_000;

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

    /** Adds the slot {@link #next}, whose bytes, length and peer have been set. */
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
     * Sends the filled slots. Each is counted as answered, or as lost in sending.
     *
     * @throws IOException the socket is broken; the remaining answers are counted as lost
     */
    void send() throws IOException {
        int from = 0;
        long lost = 0;
        try {
            long waited = 0;
            while (from < filled && waited < MAX_WAIT_NANOS) {
                int sent = socket.send(batch, from, filled - from);
                if (sent > 0) {
                    from += sent;
                } else if (sent == UdpSocket.UNSENDABLE) {
                    from++;
                    lost++;
                } else {
                    socket.awaitRoom(WAIT_STEP_NANOS);
                    waited += WAIT_STEP_NANOS;
                }
            }
        } finally {
            counts.answered.add(from - lost);
            counts.lost(DropLocation.SEND).add(filled - from + lost);
            filled = 0;
        }
    }
}
