package dev.penstock.udp;

import dev.penstock.udp.socket.DatagramBatch;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;

/**
 * Reads, handles and answers on one thread, many by one call each.
 *
 * <p>Design note: how far it reads ahead. What waits in the ring was copied once more and has left the processor's cache by
 * the time it is handled, so where the socket buffer holds a whole burst, it is the better place to wait in: read a batch,
 * handle it, answer it. Where the system does not allow such a buffer, the socket is emptied into the ring before each batch is
 * answered, since reading is several times as fast as answering: a burst then has the room of both. Nothing is allocated on
 * the way.
 */
final class InlineSocketReader extends SocketReader {
    /** The ring's bytes at most, where datagrams are large. */
    private static final long MOST_MEMORY = 256L << 20;

    private final DatagramHandler handler;
    private final DatagramBatch ring;
    private final OutgoingBatch out;
    private final int slots;
    private final Complaint complaint = new Complaint();
    /** Where the oldest one is that waits, and how many do. */
    private int first;

    private volatile int held;

    InlineSocketReader(UdpSocket socket, BufferSize buffer, String name, DatagramHandler handler, int slots, int size) {
        super(socket, buffer, name);
        this.handler = handler;
        this.slots = buffer.holdsBurst() ? AT_ONCE : Math.clamp(MOST_MEMORY / size, AT_ONCE, slots);
        this.ring = socket.batch(this.slots, size);
        this.out = new OutgoingBatch(socket, size, counts);
    }

    @Override
    boolean takeAndHandle() throws IOException {
        int there = read();
        if (there == 0) {
            return false;
        }
        int count = Math.min(there, OutgoingBatch.SLOTS);
        try {
            handle(count);
            Thread.interrupted(); // what a handler left behind would close a DatagramChannel
            out.send();
        } finally {
            first = there == count ? 0 : (first + count) % slots;
            held = there - count;
        }
        return true;
    }

    /** Reads what there is, as far as it should; how many wait then. */
    private int read() throws IOException {
        int there = held;
        while (there < slots) {
            int at = (first + there) % slots;
            int room = Math.min(AT_ONCE, Math.min(slots - there, slots - at));
            int got = socket.receive(ring, at, room);
            there += got;
            SocketReaderCounts.add(counts.received, got);
            held = there;
            if (got < room) {
                break;
            }
        }
        return there;
    }

    private void handle(int count) {
        int own = 0;
        int truncated = 0;
        int unanswered = 0;
        int failed = 0;
        for (int i = 0; i < count; i++) {
            int slot = (first + i) % slots;
            try {
                if (isOwn(ring, slot)) {
                    own++;
                } else if (ring.isTruncated(slot)) {
                    truncated++;
                } else if (answer(slot)) {
                    out.add();
                } else {
                    unanswered++;
                }
            } catch (BufferOverflowException tooLong) {
                failed++;
                complaint.tooLong(where(), out.batch().size());
            } catch (Throwable e) { // an Error too: it is this datagram's, and others are to be counted after it
                failed++;
                complaint.unhandled(where(), e);
            }
        }
        SocketReaderCounts.add(counts.own, own);
        SocketReaderCounts.add(counts.truncated, truncated);
        if (unanswered > 0) {
            counts.unanswered.add(unanswered);
        }
        if (failed > 0) {
            counts.handler.add(failed);
        }
    }

    private boolean answer(int slot) throws Exception {
        ByteBuffer request = ring.bytes(slot).clear().limit(ring.length(slot));
        int to = out.next();
        ByteBuffer answer = out.batch().bytes(to).clear();
        if (!handler.answer(request, answer)) {
            return false;
        }
        out.batch().length(to, answer.position());
        out.batch().peer(to, ring, slot);
        return true;
    }

    @Override
    long unhandled() {
        return held;
    }

    @Override
    void abandon() {
        counts.ring.add(held);
        held = 0;
    }
}
