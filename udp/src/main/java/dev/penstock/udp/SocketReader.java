package dev.penstock.udp;

import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import dev.penstock.udp.socket.DatagramBatch;
import dev.penstock.udp.socket.OwnSockets;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One socket of a source, and the thread that reads from it.
 *
 * <p>When asked to stop, it reads the datagrams that have arrived by then, as far as the ring has room. Datagrams still in the
 * socket when it is closed are counted as lost in the ring, since the kernel does not count them.
 */
abstract class SocketReader {
    private static final Logger LOG = LoggerFactory.getLogger(UdpSource.class);

    /** The maximum number of datagrams per read call. */
    static final int BATCH_SIZE = 64;

    private static final long MAX_WAIT_NANOS = 100_000_000;

    private static final long DRAIN_NANOS = 500_000_000;

    /** How often the drop counter of the socket is read, which costs a system call. */
    private static final long DROP_CHECK_NANOS = 10_000_000;

    final UdpSocket socket;
    final SocketReaderCounts counts = new SocketReaderCounts();
    final PeerRules rules;
    private final BufferSize buffer;
    private final OwnSockets ownSockets = OwnSockets.ofProcess();
    private final RateLimitedWarning forgedWarning = new RateLimitedWarning();
    private final String name;
    private final Part part;
    private volatile @Nullable Thread thread;
    private volatile boolean stopping;
    private volatile boolean isListed;
    private volatile long droppedAtClose = -1;
    private long nextDropCheck;

    SocketReader(UdpSocket socket, BufferSize buffer, String name, PeerRules rules) {
        this.socket = socket;
        this.rules = rules;
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
            if (!readAndHandle()) {
                checkDrops();
                socket.await(MAX_WAIT_NANOS);
            } else if (System.nanoTime() - nextDropCheck >= 0) {
                checkDrops();
            }
        }
        long end = System.nanoTime() + DRAIN_NANOS;
        while (readAndHandle() && System.nanoTime() - end < 0) {
            // Read what arrived before the stop, for a limited time, since more may arrive.
        }
    }

    /** Grows the buffer if the kernel has dropped datagrams. */
    private void checkDrops() {
        nextDropCheck = System.nanoTime() + DROP_CHECK_NANOS;
        OptionalLong wanted = buffer.dropped(dropped());
        if (wanted.isPresent()) {
            buffer.applied(socket.receiveBuffer(wanted.getAsLong()));
        }
    }

    /** Reads datagrams and does this thread's part of their handling. Returns false when there were none. */
    abstract boolean readAndHandle() throws IOException;

    /** Whether a received datagram is not to be handled; it is counted then. */
    final boolean isDropped(DatagramBatch batch, int slot) {
        DropLocation where;
        if (isOwn(batch, slot)) {
            where = DropLocation.OWN;
        } else if (isRefused(batch, slot)) {
            where = DropLocation.PEER;
        } else if (batch.isTruncated(slot)) {
            where = DropLocation.TRUNCATED;
        } else {
            return false;
        }
        counts.lost(where).increment();
        return true;
    }

    /** Whether it comes from a socket of this process, so that it must not be answered. */
    private boolean isOwn(DatagramBatch batch, int slot) {
        if (!ownSockets.hasPort(batch.peerPort(slot)) || !ownSockets.has(batch.peer(slot))) {
            return false;
        }
        forgedWarning.about(
                where(),
                "dropped a datagram whose source is a socket of this process, " + batch.peer(slot)
                        + ": either the source address is forged, or a target points to this source");
        return true;
    }

    private boolean isRefused(DatagramBatch batch, int slot) {
        return !rules.allowsAll() && !rules.allows(batch.peer(slot).getAddress(), System.nanoTime());
    }

    /** The number of datagrams received and not ended. */
    final long waiting() {
        // Read the ended count first, so that no datagram is counted as ended that is not counted as received.
        long ended = counts.ended();
        return Math.max(0, counts.received() - ended);
    }

    /** The number of datagrams that wait to be handled. */
    abstract long unhandled();

    /** Counts all waiting datagrams as lost in the ring, and sends nothing any more. */
    abstract void abandon();

    final void stopReading() {
        stopping = true;
        socket.wake();
    }

    final boolean isReading() {
        Thread started = thread;
        return started != null && started.isAlive();
    }

    /** The address it listens on, for display. */
    final String where() {
        return "udp " + socket.local().getHostString() + ":" + socket.local().getPort();
    }

    final BufferSize buffer() {
        return buffer;
    }

    /** The number of datagrams that the kernel dropped at this socket; the last value once the socket is closed. */
    final long dropped() {
        OptionalLong now = socket.dropped();
        return now.isPresent() ? now.getAsLong() : Math.max(0, droppedAtClose);
    }

    final void close() {
        if (droppedAtClose >= 0) {
            return;
        }
        stopReading();
        part.close();
        Thread started = thread;
        if (started != null) {
            Part.join(started);
        }
        abandon();
        countRemaining();
        droppedAtClose = socket.dropped().orElse(0);
        socket.close();
        if (isListed) {
            ownSockets.remove(socket.local());
        }
    }

    private void countRemaining() {
        DatagramBatch rest = socket.batch(BATCH_SIZE, 1);
        long end = System.nanoTime() + DRAIN_NANOS;
        try {
            int count;
            // Check the time before receiving, so that every received datagram is counted.
            while (System.nanoTime() - end < 0 && (count = socket.receive(rest, 0, BATCH_SIZE)) > 0) {
                counts.received(count);
                counts.lost(DropLocation.RING).add(count);
            }
        } catch (IOException broken) {
            // A broken socket has no datagrams.
        }
    }

    /** Logs a warning at most once a minute, since one per datagram would fill the log. */
    static final class RateLimitedWarning {
        private static final long ONE_MINUTE_NANOS = 60_000_000_000L;

        private @Nullable Long next;

        void unhandled(String where, Throwable why) {
            unhandled(where, text(why));
        }

        void tooLong(String where, int maxSize) {
            unhandled(where, "the answer is longer than max_size, " + maxSize + " bytes; raise max_size");
        }

        void amplifies(String where, int answer, int request) {
            unhandled(
                    where,
                    "the answer has " + answer + " bytes, the datagram " + request
                            + ", so it could be an attack on who owns its address; raise amplification if senders are trusted");
        }

        private void unhandled(String where, String why) {
            about(where, "a datagram could not be handled and is counted as lost in the handler: " + why);
        }

        /** The toString of a handler's exception may throw too. */
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
                next = now + ONE_MINUTE_NANOS;
                LOG.warn("{}: {}", where, what);
            }
        }
    }

    /** The counts of one socket. */
    static final class SocketReaderCounts {
        private final AtomicLong received = new AtomicLong();
        private final Map<DropLocation, LongAdder> drops = new EnumMap<>(DropLocation.class);
        final LongAdder answered = new LongAdder();
        final LongAdder unanswered = new LongAdder();

        SocketReaderCounts() {
            for (DropLocation each : DropLocation.values()) {
                drops.put(each, new LongAdder());
            }
        }

        /** The datagrams lost at a place that is counted here. */
        LongAdder lost(DropLocation where) {
            return Objects.requireNonNull(drops.get(where));
        }

        /** Adds received datagrams; called by one thread. */
        void received(int count) {
            received.setRelease(received.getPlain() + count);
        }

        long received() {
            return received.get();
        }

        /** The number of received datagrams that have ended, in any way. */
        long ended() {
            return answered.sum()
                    + unanswered.sum()
                    + drops.values().stream().mapToLong(LongAdder::sum).sum();
        }
    }
}
