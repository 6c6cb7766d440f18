package dev.penstock.udp;

import dev.penstock.Service;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import dev.penstock.udp.socket.DatagramBatch;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads on one thread into a ring; virtual threads take from there, handle, and answer.
 *
 * <p>Design note: how many threads there are. One for each datagram would cost a start and a switch each, although most
 * handlers are done before they ever wait; a fixed number would stand still once all of them wait. So threads take one after
 * the other, and while any are left one more thread stands ready behind them (leader and followers, Schmidt et al., 2000): it
 * runs when those before it wait, or when a processor is free, and finds nothing and ends otherwise. A thread says that it is
 * no longer the one that stands ready before it looks into the ring, so that who puts something in after that starts another.
 */
final class FlowSocketReader extends SocketReader {
    /** When the ring is full, room is looked for so often; what comes meanwhile waits in the socket. */
    private static final long FULL_WAIT_NANOS = 50_000;

    private record Arrived(Datagram datagram, long at) {}

    private final Service<? super Datagram, byte[]> flow;
    private final Function<? super Datagram, @Nullable String> id;
    private final DatagramBatch batch;
    private final RingBuffer<Arrived> ring;
    private final AnswerSender answers;
    private final long longestWait;
    private final Complaint complaint = new Complaint();
    private final Part workers;
    private final AtomicBoolean ready = new AtomicBoolean();
    private final AtomicInteger threads = new AtomicInteger();
    private volatile boolean abandoned;

    FlowSocketReader(
            UdpSocket socket,
            BufferSize buffer,
            String name,
            Service<? super Datagram, byte[]> flow,
            Function<? super Datagram, @Nullable String> id,
            int slots,
            int size,
            Duration longestWait) {
        super(socket, buffer, name);
        this.flow = flow;
        this.id = id;
        this.batch = socket.batch(AT_ONCE, size);
        this.ring = new RingBuffer<>(slots);
        this.answers = new AnswerSender(socket, size, counts);
        this.longestWait = longestWait.toNanos();
        this.workers = Supervisor.current().part("udp-handlers", where());
    }

    @Override
    boolean takeAndHandle() throws IOException {
        int room = Math.min(AT_ONCE, ring.capacity() - ring.size());
        if (room == 0) {
            LockSupport.parkNanos(FULL_WAIT_NANOS);
            return true;
        }
        int got = socket.receive(batch, 0, room);
        if (got == 0) {
            return false;
        }
        // Before any can end: nothing has ended that was not received.
        SocketReaderCounts.add(counts.received, got);
        long now = System.nanoTime();
        int own = 0;
        int truncated = 0;
        int slot = 0;
        try {
            for (; slot < got; slot++) {
                if (isOwn(batch, slot)) {
                    own++;
                } else if (batch.isTruncated(slot)) {
                    truncated++;
                } else {
                    put(slot, now);
                }
            }
        } finally {
            // What was received has ended, or is in the ring, also when memory runs out on the way there.
            if (slot < got) {
                counts.ring.add(got - slot);
            }
            SocketReaderCounts.add(counts.own, own);
            SocketReaderCounts.add(counts.truncated, truncated);
            standReady();
        }
        return true;
    }

    private void put(int slot, long now) {
        byte[] bytes = new byte[batch.length(slot)];
        batch.bytes(slot).get(0, bytes);
        Arrived arrived = new Arrived(new Datagram(bytes, batch.peer(slot), null), now);
        while (!ring.offer(arrived)) {
            // Its place was claimed, and is about to be emptied by a thread that was kept from running.
            Thread.onSpinWait();
        }
    }

    /** Sees to it that a thread will look into the ring. */
    private void standReady() {
        if (!ready.get() && ready.compareAndSet(false, true)) {
            if (threads.get() < ring.capacity()) {
                threads.incrementAndGet();
                startThread();
            } else {
                // Each of those that are there looks into the ring when it has done what it has.
                ready.set(false);
            }
        }
    }

    private void startThread() {
        try {
            Thread.startVirtualThread(this::work);
        } catch (Throwable noThread) {
            // Or nobody would ever look into the ring again.
            threads.decrementAndGet();
            ready.set(false);
            workers.failed("the datagrams wait for the next one", noThread);
        }
    }

    private void work() {
        ready.set(false);
        try {
            takeTurns();
        } catch (Throwable failure) {
            workers.failedOnce("another thread handles the datagrams that wait", failure);
        } finally {
            threads.decrementAndGet();
        }
        if (!ring.isEmpty()) {
            // Came while there were as many threads as there may be.
            standReady();
        }
    }

    private void takeTurns() {
        Arrived arrived;
        while ((arrived = ring.poll()) != null) {
            boolean last = ring.isEmpty();
            if (last) {
                answers.send();
            } else {
                standReady();
            }
            handle(arrived);
        }
        answers.send();
    }

    private void handle(Arrived arrived) {
        if (abandoned || System.nanoTime() - arrived.at() > longestWait) {
            counts.ring.increment();
            return;
        }
        try {
            byte[] answer = flow.call(request(arrived.datagram()));
            if (Datagram.isNoAnswer(answer)) {
                counts.unanswered.increment();
            } else if (answer.length > batch.size()) {
                counts.handler.increment();
                complaint.tooLong(where(), batch.size());
            } else {
                answers.put(answer, arrived.datagram().peer(), ring.isEmpty());
            }
        } catch (Throwable e) {
            // An Error too: it is this datagram's, and others are to be counted after it.
            counts.handler.increment();
            if (!(e instanceof dev.penstock.Unanswered)) {
                complaint.unhandled(where(), e);
            }
        } finally {
            // What a handler left behind is not the next one's.
            Thread.interrupted();
        }
    }

    private Datagram request(Datagram plain) {
        String found = id.apply(plain);
        return found == null ? plain : new Datagram(plain.bytes(), plain.peer(), found);
    }

    @Override
    long unhandled() {
        return ring.size();
    }

    @Override
    void abandon() {
        abandoned = true;
        workers.close();
        Arrived left;
        while ((left = ring.poll()) != null) {
            counts.ring.increment();
        }
        answers.close();
    }
}
