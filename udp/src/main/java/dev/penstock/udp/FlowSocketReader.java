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
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads datagrams into a ring on one thread; virtual threads take them from the ring, handle and answer them.
 *
 * <p>Design note: the number of threads. A thread per datagram would cost a start and a context switch each, although most
 * handlers finish without blocking; a fixed number of threads would stall once all of them block. So each thread handles one
 * datagram after the other, and while datagrams remain, one more thread is on standby (leader/followers, Schmidt et al.,
 * 2000): it runs when the others block or a processor is free, and ends if the ring is empty. A thread clears the standby
 * flag before it polls the ring, so that a datagram added after that starts another thread.
 */
final class FlowSocketReader extends SocketReader {
    /** How often a full ring is checked for room; datagrams that arrive meanwhile wait in the socket. */
    private static final long FULL_WAIT_NANOS = 50_000;

    private record Arrived(Datagram datagram, long at) {}

    private final Service<? super Datagram, byte[]> flow;
    private final Function<? super Datagram, @Nullable String> id;
    private final DatagramBatch batch;
    private final RingBuffer<Arrived> ring;
    private final AnswerSender answers;
    private final long maxWait;
    private final LongAdder expired = counts.lost(DropLocation.RING);
    private final LongAdder failed = counts.lost(DropLocation.HANDLER);
    private final RateLimitedWarning warning = new RateLimitedWarning();
    private final Part workers;
    private final AtomicBoolean standby = new AtomicBoolean();
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
            Duration maxWait,
            PeerRules rules) {
        super(socket, buffer, name, rules);
        this.flow = flow;
        this.id = id;
        this.batch = socket.batch(BATCH_SIZE, size);
        this.ring = new RingBuffer<>(slots);
        this.answers = new AnswerSender(socket, size, counts);
        this.maxWait = maxWait.toNanos();
        this.workers = Supervisor.current().part("udp-handlers", where());
    }

    @Override
    boolean readAndHandle() throws IOException {
        int room = Math.min(BATCH_SIZE, ring.capacity() - ring.size());
        if (room == 0) {
            LockSupport.parkNanos(FULL_WAIT_NANOS);
            return true;
        }
        int got = socket.receive(batch, 0, room);
        if (got == 0) {
            return false;
        }
        // Count before any of them can end, so that ended never exceeds received.
        counts.received(got);
        long now = System.nanoTime();
        int slot = 0;
        try {
            for (; slot < got; slot++) {
                if (!isDropped(batch, slot)) {
                    put(slot, now);
                }
            }
        } finally {
            // Every received datagram has ended or is in the ring, even after an OutOfMemoryError.
            expired.add(got - slot);
            ensureStandby();
        }
        return true;
    }

    private void put(int slot, long now) {
        byte[] bytes = new byte[batch.length(slot)];
        batch.bytes(slot).get(0, bytes);
        Arrived arrived = new Arrived(new Datagram(bytes, batch.peer(slot), null, batch.local(slot)), now);
        while (!ring.offer(arrived)) {
            // A thread has claimed this slot and is about to empty it.
            Thread.onSpinWait();
        }
    }

    /** Ensures that a thread will poll the ring. */
    private void ensureStandby() {
        if (!standby.get() && standby.compareAndSet(false, true)) {
            if (threads.get() < ring.capacity()) {
                threads.incrementAndGet();
                startThread();
            } else {
                // Each running thread polls the ring after its current datagram.
                standby.set(false);
            }
        }
    }

    private void startThread() {
        try {
            Thread.ofVirtual().name("penstock-udp-worker").start(this::work);
        } catch (Throwable noThread) {
            // Reset the state; otherwise no thread would ever poll the ring again.
            threads.decrementAndGet();
            standby.set(false);
            workers.failed("the datagrams wait for the next one", noThread);
        }
    }

    private void work() {
        standby.set(false);
        try {
            handleQueued();
        } catch (Throwable failure) {
            workers.failedOnce("another thread handles the datagrams that wait", failure);
        } finally {
            threads.decrementAndGet();
        }
        if (!ring.isEmpty()) {
            // Datagrams arrived while the number of threads was at its maximum.
            ensureStandby();
        }
    }

    private void handleQueued() {
        Arrived arrived;
        while ((arrived = ring.poll()) != null) {
            boolean last = ring.isEmpty();
            if (last) {
                answers.send();
            } else {
                ensureStandby();
            }
            handle(arrived);
        }
        answers.send();
    }

    private void handle(Arrived arrived) {
        if (abandoned || System.nanoTime() - arrived.at() > maxWait) {
            expired.increment();
            return;
        }
        try {
            byte[] answer = flow.call(request(arrived.datagram()));
            int asked = arrived.datagram().bytes().length;
            if (Datagram.isNoAnswer(answer)) {
                counts.unanswered.increment();
            } else if (answer.length > batch.size()) {
                failed.increment();
                warning.tooLong(where(), batch.size());
            } else if (rules.isTooLong(answer.length, asked)) {
                failed.increment();
                warning.amplifies(where(), answer.length, asked);
            } else {
                answers.put(answer, arrived.datagram(), ring.isEmpty());
            }
        } catch (Throwable e) {
            // Also an Error: it concerns this datagram only, and the others must be counted.
            failed.increment();
            if (!(e instanceof dev.penstock.Unanswered)) {
                warning.unhandled(where(), e);
            }
        } finally {
            // Clear an interrupt left by a handler; it does not concern the next datagram.
            Thread.interrupted();
        }
    }

    private Datagram request(Datagram plain) {
        String found = id.apply(plain);
        return found == null ? plain : new Datagram(plain.bytes(), plain.peer(), found, plain.local());
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
            expired.increment();
        }
        answers.close();
    }
}
