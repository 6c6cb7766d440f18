package dev.penstock.udp;

import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Answers of many threads, sent by one call for many.
 *
 * <p>Design note: whoever finds that it is time to send does it for all, and nobody waits for him: others leave their answers
 * and go on (flat combining, Hendler et al., SPAA 2010). It is time when nothing more waits to be handled, when a call's worth has gathered, or
 * when the last call was a while ago. Who cannot have the lock leaves, since its holder looks once more after giving it back.
 */
final class AnswerSender {
    /** An answer waits for others for no longer than this, unless the thread that has it is kept from running. */
    private static final long LONGEST_NANOS = 100_000;

    /** So many answers wait for being sent at most, and one for each thread that brings another. */
    private static final int MOST_WAITING = 1_024;

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
     * Takes an answer.
     *
     * @param bytes no more than a slot of the socket holds
     * @param last whether nothing more waits to be handled
     */
    void put(byte[] bytes, InetSocketAddress to, boolean last) {
        queue.add(new Datagram(bytes, to, null));
        int gathered = waiting.incrementAndGet();
        if (gathered >= MOST_WAITING) {
            // As fast as the socket takes them, and no faster: who comes now helps, or waits for who does.
            sending.lock();
            try {
                sendAll();
            } finally {
                sending.unlock();
            }
        } else if (last || gathered >= OutgoingBatch.SLOTS || System.nanoTime() - sentAt > LONGEST_NANOS) {
            send();
        }
    }

    /** Sends what waits. */
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
                counts.send.increment();
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
        out.add();
    }

    private void sendFilled() {
        if (out.isEmpty()) {
            return;
        }
        try {
            out.send();
        } catch (IOException counted) {
            // The socket is broken, which its reader says; what was lost is counted.
        }
    }

    int waiting() {
        return waiting.get();
    }

    /** Sends what waits; later answers are counted as lost where they would have been sent. */
    void close() {
        sending.lock();
        try {
            sendAll();
            closed = true;
        } finally {
            sending.unlock();
        }
        // What came while the lock was held, by one who could not have it.
        send();
    }
}
