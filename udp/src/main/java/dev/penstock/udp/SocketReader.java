package dev.penstock.udp;

import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import dev.penstock.udp.socket.DatagramBatch;
import dev.penstock.udp.socket.OwnSockets;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One socket of a source, and the thread that reads it.
 *
 * <p>Once asked to stop, it takes what has arrived by then, as far as there is room for it; what is still in the socket when
 * it is closed is counted as lost in the ring, since the kernel does not count it.
 */
abstract class SocketReader {
    private static final Logger LOG = LoggerFactory.getLogger(UdpSource.class);

    /** How many are read by one call. */
    static final int AT_ONCE = 64;

    private static final long LONGEST_WAIT_NANOS = 100_000_000;

    private static final long LAST_WORDS_NANOS = 500_000_000;

    /** How often the socket is asked whether it dropped any, which costs a call of its own. */
    private static final long LOOK_NANOS = 10_000_000;

    final UdpSocket socket;
    final SocketReaderCounts counts = new SocketReaderCounts();
    private final BufferSize buffer;
    private final OwnSockets ownSockets = OwnSockets.ofProcess();
    private final Complaint forged = new Complaint();
    private final String name;
    private final Part part;
    private volatile @Nullable Thread thread;
    private volatile boolean stopping;
    private volatile boolean isListed;
    private volatile long finallyDropped = -1;
    private long lookAt;

    SocketReader(UdpSocket socket, BufferSize buffer, String name) {
        this.socket = socket;
        this.buffer = buffer;
        this.name = name;
        this.part = Supervisor.current().part("udp-reader", where());
        buffer.applied(socket.receiveBuffer(buffer.wanted()));
        socket.sendBuffer(buffer.wanted());
    }

    final void start() {
        ownSockets.add(socket.local());
        isListed = true;
        thread = part.start(Thread.ofPlatform().daemon().name(name), this::read);
    }

    private void read() throws IOException {
        while (!stopping) {
            if (!takeAndHandle()) {
                look();
                socket.await(LONGEST_WAIT_NANOS);
            } else if (System.nanoTime() - lookAt >= 0) {
                look();
            }
        }
        long end = System.nanoTime() + LAST_WORDS_NANOS;
        while (takeAndHandle() && System.nanoTime() - end < 0) {
            // What had arrived before it was asked to stop; not for ever, as more may come.
        }
    }

    /** Grows the buffer when the kernel had to drop. */
    private void look() {
        lookAt = System.nanoTime() + LOOK_NANOS;
        OptionalLong wanted = buffer.dropped(dropped());
        if (wanted.isPresent()) {
            buffer.applied(socket.receiveBuffer(wanted.getAsLong()));
        }
    }

    /** Reads some and does what this thread has to do with them. False when there was nothing. */
    abstract boolean takeAndHandle() throws IOException;

    /** Whether a datagram that was received is from a socket of this process, so that it must not be answered. */
    final boolean isOwn(DatagramBatch batch, int slot) {
        if (!ownSockets.hasPort(batch.peerPort(slot)) || !ownSockets.has(batch.peer(slot))) {
            return false;
        }
        forged.about(
                where(),
                "a datagram is dropped, as its source is a socket of this process, " + batch.peer(slot)
                        + ": its sender forges the address, or a target points to this source");
        return true;
    }

    /** How many were received and have not ended. */
    final long waiting() {
        // What has ended is read first, so that nothing ends between the two that was not seen to come.
        long ended = counts.ended();
        return Math.max(0, counts.received.get() - ended);
    }

    /** How many wait to be handled. */
    abstract long unhandled();

    /** Everything that waits is lost in the ring; nothing is sent any more. */
    abstract void abandon();

    final void stopReading() {
        stopping = true;
        socket.wake();
    }

    final boolean isReading() {
        Thread started = thread;
        return started != null && started.isAlive();
    }

    /** Where it listens, for people to read. */
    final String where() {
        return "udp " + socket.local().getHostString() + ":" + socket.local().getPort();
    }

    final BufferSize buffer() {
        return buffer;
    }

    /** How many the kernel dropped at this socket; as it was, once the socket is closed. */
    final long dropped() {
        return socket.dropped().orElseGet(() -> Math.max(0, finallyDropped));
    }

    final void close() {
        if (finallyDropped >= 0) {
            return;
        }
        stopReading();
        part.close();
        Thread started = thread;
        if (started != null) {
            join(started);
        }
        abandon();
        countLeft();
        finallyDropped = socket.dropped().orElse(0);
        socket.close();
        if (isListed) {
            ownSockets.remove(socket.local());
        }
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void countLeft() {
        DatagramBatch rest = socket.batch(AT_ONCE, 1);
        long end = System.nanoTime() + LAST_WORDS_NANOS;
        try {
            int count;
            // The time first: what was received is counted.
            while (System.nanoTime() - end < 0 && (count = socket.receive(rest, 0, AT_ONCE)) > 0) {
                SocketReaderCounts.add(counts.received, count);
                counts.ring.add(count);
            }
        } catch (IOException broken) {
            // A socket that does not work has nothing to give.
        }
    }

    /** What concerns each datagram would fill the log; it is told once a minute. */
    static final class Complaint {
        private static final long A_MINUTE = 60_000_000_000L;

        private @Nullable Long next;

        void unhandled(String where, Throwable why) {
            unhandled(where, text(why));
        }

        void tooLong(String where, int maxSize) {
            unhandled(where, "answer longer than max_size, " + maxSize + " bytes; raise max_size");
        }

        private void unhandled(String where, String why) {
            about(where, "a datagram could not be handled, and is counted as lost in the handler: " + why);
        }

        /** An exception of a handler may throw here too. */
        private static String text(Throwable why) {
            try {
                return why.toString();
            } catch (Throwable unprintable) {
                return why.getClass().getName();
            }
        }

        synchronized void about(String where, String what) {
            long now = System.nanoTime();
            if (next == null || now - next >= 0) {
                next = now + A_MINUTE;
                LOG.warn("{}: {}", where, what);
            }
        }
    }
}
