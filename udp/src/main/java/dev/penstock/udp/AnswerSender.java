package dev.penstock.udp;

import dev.penstock.udp.SocketReader.SocketReaderCounts;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends the answers of many threads, many per system call.
 *
 * <p>Design note: flat combining (Hendler et al., SPAA 2010). A thread queues its answer; one thread sends all queued answers,
 * and the others continue without waiting. Answers are sent when no more datagrams wait to be handled, when a full batch is
 * queued, or when the last send was more than 100 us ago. A thread that does not get the lock returns, since the lock holder
 * checks the queue again after releasing it.
 */
final class AnswerSender {
    /** The maximum delay of an answer, if its thread is scheduled in time. */
    private static final long MAX_DELAY_NANOS = 100_000;

    /** The maximum number of queued answers, plus one per thread that adds another. */
    private static final int MAX_QUEUED = 1_024;

    private final ConcurrentLinkedQueue<Datagram> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final ReentrantLock sending = new ReentrantLock();
    private final OutgoingBatch out;
    private final SocketReaderCounts counts;
    private volatile long sentAt;
    private boolean closed;

    AnswerSender(UdpSocket socket, int size, SocketReaderCounts counts) {
        this.out = new OutgoingBatch(socket, size, counts);
        this.counts = counts;
    }

    /**
     * Queues an answer and sends if it is time to.
     *
     * @param bytes at most the slot size of the socket
     * @param request the datagram that it answers
     * @param last whether no more datagrams wait to be handled
     */
    void put(byte[] bytes, Datagram request, boolean last) {
        queue.add(new Datagram(bytes, request.peer(), null, request.local()));
        int queued = waiting.incrementAndGet();
        if (queued >= MAX_QUEUED) {
            // Back pressure: block until the socket has taken the queued answers.
            sending.lock();
            try {
                sendAll();
            } finally {
                sending.unlock();
            }
        } else if (last || queued >= OutgoingBatch.SLOTS || System.nanoTime() - sentAt > MAX_DELAY_NANOS) {
            send();
        }
    }

    /** Sends the queued answers. */
    void send() {
        while (!queue.isEmpty() && sending.tryLock()) {
            try {
                sendAll();
            } finally {
                sending.unlock();
            }
        }
    }

    private void sendAll() {
        Datagram answer;
        while ((answer = queue.poll()) != null) {
            waiting.decrementAndGet();
            if (closed) {
                counts.lost(DropLocation.SEND).increment();
                continue;
            }
            fill(answer);
            if (out.isFull()) {
                sendFilled();
            }
        }
        sendFilled();
        sentAt = System.nanoTime();
    }

    private void fill(Datagram answer) {
        int slot = out.next();
        out.batch().bytes(slot).put(0, answer.bytes());
        out.batch().length(slot, answer.bytes().length);
        out.batch().peer(slot, answer.peer());
        out.batch().local(slot, answer.local());
        out.add();
    }

    private void sendFilled() {
        if (out.isEmpty()) {
            return;
        }
        try {
            out.send();
        } catch (IOException counted) {
            // The socket is broken, which its reader reports; the lost answers are counted.
        }
    }

    int waiting() {
        return waiting.get();
    }

    /** Sends the queued answers; later ones are counted as lost in sending. */
    void close() {
        sending.lock();
        try {
            sendAll();
            closed = true;
        } finally {
            sending.unlock();
        }
        // Count the answers that other threads queued while the lock was held.
        send();
    }
}
