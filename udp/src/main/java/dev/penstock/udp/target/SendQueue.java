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
 * Sends queued calls, many per system call. A caller that gets the lock sends all queued calls; the others do not wait for the
 * lock. A single request is sent at once. Safe for many threads.
 */
final class SendQueue {
    private static final int BATCH_SIZE = 64;

    /** How long to wait for room in the send buffer before callers may withdraw their calls. */
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

    /** Sends a call, or leaves that to the thread that is sending now. The state of the call shows when it is sent. */
    void send(DatagramCall call) {
        waiting.add(call);
        sendQueued();
    }

    /** Sends queued calls while the send buffer has room. */
    void sendQueued() {
        // A call added after the lock holder's last poll finds the lock taken, so the queue is checked after unlocking.
        boolean room = true;
        while (room && !waiting.isEmpty() && sending.tryLock()) {
            try {
                room = sendAll();
            } finally {
                sending.unlock();
            }
        }
    }

    /** Returns false when the send buffer is full: the remaining calls are sent by the next caller, or by their own retries. */
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

    /** Returns calls to the queue, so that their callers can withdraw them while there is no room. */
    private void putBack(int first, int count) {
        for (int i = first; i < count; i++) {
            taken[i].putBack();
            waiting.add(taken[i]);
        }
        try {
            socket.awaitRoom(RETRY_SEND_NANOS);
        } catch (IOException broken) {
            // The next send reports it.
            ticker.nanos();
        }
    }

    /** Ends all queued calls. After this returns, no thread sends on the socket. */
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
