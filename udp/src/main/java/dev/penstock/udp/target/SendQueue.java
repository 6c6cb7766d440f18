package dev.penstock.udp.target;

import dev.penstock.Ticker;
import dev.penstock.udp.socket.DatagramBatch;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends what callers put in, many by one call: who finds the sender's lock free sends for all who did not. Nobody waits for the
 * lock, so a lone request leaves at once. Safe for many threads.
 */
final class SendQueue {
    private static final int BATCH_SIZE = 64;

    /** For how long the send buffer is waited for before callers may take back what is still here. */
    private static final long RETRY_SEND_NANOS = 2_000_000;

    private final Queue<DatagramCall> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock sending = new ReentrantLock();
    private final DatagramCall[] taken = new DatagramCall[BATCH_SIZE];
    private final UdpSocket socket;
    private final InetSocketAddress peer;
    private final DatagramBatch batch;
    private final Ticker ticker;
    private boolean closed;

    SendQueue(UdpSocket socket, InetSocketAddress peer, int maxSize, Ticker ticker) {
        this.socket = socket;
        this.peer = peer;
        this.batch = socket.batch(BATCH_SIZE, maxSize);
        this.ticker = ticker;
        for (int slot = 0; slot < BATCH_SIZE; slot++) {
            batch.peer(slot, peer);
        }
    }

    /** Sends it, or leaves that to whoever is sending now. Its state tells when it has left. */
    void send(DatagramCall call) {
        waiting.add(call);
        sendQueued();
    }

    /** Sends what is left, also by callers who found no room; only as long as there is some. */
    void sendQueued() {
        // Whoever puts one in after the last look at the queue finds the lock taken; the second look here finds that
        // one.
        boolean room = true;
        while (room && !waiting.isEmpty() && sending.tryLock()) {
            try {
                room = sendAll();
            } finally {
                sending.unlock();
            }
        }
    }

    /** False when the send buffer is full: what is left is sent by who comes next, or by its own caller when he looks again. */
    private boolean sendAll() {
        for (int count = fill(); count > 0; count = fill()) {
            if (!sendTaken(count)) {
                return false;
            }
        }
        return true;
    }

    private int fill() {
        int count = 0;
        long now = ticker.nanos();
        while (count < BATCH_SIZE) {
            DatagramCall call = waiting.poll();
            if (call == null) {
                break;
            }
            if (closed) {
                call.end(DatagramCall.Outcome.CLOSED);
            } else if (call.take(now)) {
                taken[count] = call;
                ByteBuffer slot = batch.bytes(count);
                slot.clear().put(call.bytes());
                batch.length(count++, call.bytes().length);
            }
        }
        return count;
    }

    private boolean sendTaken(int count) {
        int done = 0;
        while (done < count) {
            int result = sendFrom(done, count);
            if (result == 0) {
                putBack(done, count);
                return false;
            }
            if (result == UdpSocket.UNSENDABLE) {
                taken[done++].unsendable();
            } else {
                for (int end = done + result; done < end; done++) {
                    taken[done].sent();
                }
            }
        }
        return true;
    }

    private int sendFrom(int first, int count) {
        try {
            return socket.send(batch, first, count - first);
        } catch (IOException broken) {
            return UdpSocket.UNSENDABLE;
        }
    }

    /** Their callers may take them back while there is no room. */
    private void putBack(int first, int count) {
        for (int i = first; i < count; i++) {
            taken[i].putBack();
            waiting.add(taken[i]);
        }
        try {
            socket.awaitRoom(RETRY_SEND_NANOS);
        } catch (IOException broken) {
            // Then the next try to send says so.
            ticker.nanos();
        }
    }

    /** Ends all that has not left. When this returns nobody uses the socket to send, now or later. */
    void close() {
        sending.lock();
        try {
            closed = true;
            sendAll();
        } finally {
            sending.unlock();
        }
    }

    InetSocketAddress peer() {
        return peer;
    }
}
