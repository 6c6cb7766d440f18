package dev.penstock.udp;

import dev.penstock.udp.socket.DatagramBatch;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads, handles and answers datagrams on one thread, many per system call.
 *
 * <p>Design note: how far it reads ahead. A datagram that waits in the ring has been copied, and has left the processor's
 * cache by the time it is handled. So if the socket buffer holds a whole burst, datagrams wait there: read a batch, handle
 * it, answer it. If the system does not grant such a buffer, the socket is emptied into the ring before each batch is
 * answered, since reading is several times as fast as answering; a burst can then use the capacity of both. No memory is
 * allocated per datagram.
 */
final class InlineSocketReader extends SocketReader {
    /** The maximum size of the ring, in bytes; with large datagrams it has fewer slots. */
    private static final long MOST_MEMORY = 256L << 20;

    private final DatagramHandler handler;
    private final DatagramBatch ring;
    private final OutgoingBatch out;
    private final int slots;
    private final LongAdder failed = counts.lost(DropLocation.HANDLER);
    private final RateLimitedWarning warning = new RateLimitedWarning();
    /** The slot of the oldest waiting datagram; {@code held} is the number of waiting ones. */
    private int first;

    private volatile int held;

    InlineSocketReader(
            UdpSocket socket,
            BufferSize buffer,
            String name,
            DatagramHandler handler,
            int slots,
            int size,
            PeerRules rules) {
        super(socket, buffer, name, rules);
        this.handler = handler;
        this.slots = buffer.holdsBurst() ? BATCH_SIZE : Math.clamp(MOST_MEMORY / size, BATCH_SIZE, slots);
        this.ring = socket.batch(this.slots, size);
        this.out = new OutgoingBatch(socket, size, counts);
    }

    @Override
    boolean readAndHandle() throws IOException {
        int there = read();
        if (there == 0) {
            return false;
        }
        int count = Math.min(there, OutgoingBatch.SLOTS);
        try {
            handle(count);
            Thread.interrupted(); // an interrupt left by a handler would close a DatagramChannel
            out.send();
        } finally {
            first = there == count ? 0 : (first + count) % slots;
            held = there - count;
        }
        return true;
    }

    /** Reads available datagrams into free slots; returns how many wait then. */
    private int read() throws IOException {
        int there = held;
        while (there < slots) {
            int at = (first + there) % slots;
            int room = Math.min(BATCH_SIZE, Math.min(slots - there, slots - at));
            int got = socket.receive(ring, at, room);
            there += got;
            counts.received(got);
            held = there;
            if (got < room) {
                break;
            }
        }
        return there;
    }

    private void handle(int count) {
        int unanswered = 0;
        for (int i = 0; i < count; i++) {
            int slot = (first + i) % slots;
            try {
                if (isDropped(ring, slot)) {
                    continue;
                }
                if (!answer(slot)) {
                    unanswered++;
                } else if (rules.isTooLong(out.batch().length(out.next()), ring.length(slot))) {
                    failed.increment();
                    warning.amplifies(where(), out.batch().length(out.next()), ring.length(slot));
                } else {
                    out.add();
                }
            } catch (BufferOverflowException tooLong) {
                failed.increment();
                warning.tooLong(where(), out.batch().size());
            } catch (Throwable e) { // also an Error: it concerns this datagram only, and the others must be counted
                failed.increment();
                warning.unhandled(where(), e);
            }
        }
        if (unanswered > 0) {
            counts.unanswered.add(unanswered);
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
        counts.lost(DropLocation.RING).add(held);
        held = 0;
    }
}
