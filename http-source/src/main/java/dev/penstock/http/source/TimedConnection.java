package dev.penstock.http.source;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.source.ConnectionPhase.Phase;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client connection with a time limit for each phase.
 *
 * <h2>Design note</h2>
 *
 * <p>Helidon limits sizes and the idle time of connections, but not reads: a client that sends a byte now and then keeps its
 * connection forever (slowloris), because NIO channels have no read timeout. So this class wraps Helidon's connection, provides
 * its reader, and records the time limit of each phase; {@link IdleConnectionReaper} closes overdue connections. Closing a
 * socket ends blocked reads immediately.
 *
 * <p>Once the reaper has closed the connection, the connection's own thread cannot enter another phase. So the reaper can write
 * the 408 answer: no other thread writes any more.
 */
final class TimedConnection extends WrappedContext implements ServerConnection {
    /** The connection that the calling thread handles. */
    static final ScopedValue<TimedConnection> CURRENT = ScopedValue.newInstance();

    private final IdleConnectionReaper reaper;
    private final HttpSource.Limits limits;
    private final LenientReader reader;
    private final ServerConnection connection;
    private final ConnectionPhase phase;
    private @Nullable InetAddress client;
    private volatile @Nullable Thread thread;
    private long rawBodyLeft;
    private @Nullable ChunkFraming framing;
    private boolean gone;
    private boolean withoutLength;

    TimedConnection(
            ConnectionContext context,
            IdleConnectionReaper reaper,
            HttpSource.Limits limits,
            ServerConnectionSelector selector) {
        super(context);
        this.reaper = reaper;
        this.limits = limits;
        this.reader = new LenientReader(this::read);
        this.phase = new ConnectionPhase(System.nanoTime(), reaper.scaled(limits.headerTime()));
        this.connection = selector.connection(this);
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
        thread = Thread.currentThread();
        try {
            if (!reaper.add(this)) {
                throw new CloseConnectionException("the source is closed");
            }
            ScopedValue.where(CURRENT, this).call(() -> {
                connection.handle(limit);
                return limit;
            });
        } finally {
            try {
                discardRest();
            } finally {
                reaper.remove(this);
            }
        }
    }

    /** Whether the client sent the current request as HTTP/1.0. */
    boolean isHttp10() {
        return reader.isHttp10();
    }

    /** The authority of a request target in absolute form, not validated; null for other targets. */
    @Nullable
    String authority() {
        return reader.authority();
    }

    boolean isReadingHead() {
        return phase.now() == Phase.HEAD;
    }

    /** Enters the phase of reading a body of at most this size. Bytes of it that are already buffered are validated now. */
    void body(int maxBody, boolean chunked) {
        framing = chunked ? new ChunkFraming() : null;
        int here = reader.available();
        if (framing != null && here > 0) {
            framing.follow(reader.getBuffer(here).readBytes());
        }
        // A chunk of one byte takes six bytes on the wire; more than that is mostly extensions.
        rawBodyLeft = 8L * maxBody + (64 << 10);
        enter(Phase.BODY, limits.bodyTime());
    }

    void flow() {
        enter(Phase.FLOW, Duration.ofDays(1));
    }

    void answer() {
        enter(Phase.ANSWER, limits.bodyTime());
    }

    /** The current answer has no Content-Length. */
    void omitLength() {
        withoutLength = true;
    }

    boolean isWithoutLength() {
        return withoutLength;
    }

    /** Restarts the time limit of the answer. */
    void renewAnswerTime() {
        throwIfClosed(phase.renew(System.nanoTime(), limits.bodyTime()));
    }

    /** Enters the phase in which the rest of a partly read request is discarded. */
    void linger() {
        enter(Phase.LINGER, reaper.scaled(HttpSource.Limits.LINGER));
    }

    void idle() {
        withoutLength = false;
        reader.renew();
        enter(Phase.IDLE, reaper.scaled(limits.idleTime()));
    }

    private void enter(Phase next, Duration time) {
        throwIfClosed(phase.enter(next, System.nanoTime(), time));
    }

    private static void throwIfClosed(boolean entered) {
        if (!entered) {
            throw new CloseConnectionException("closed: too slow");
        }
    }

    /** The current phase. */
    ConnectionPhase phase() {
        return phase;
    }

    private byte[] read() {
        Phase before = phase.now();
        if (before == Phase.IDLE && reader.available() > 0) {
            enter(Phase.HEAD, reaper.scaled(limits.headerTime()));
        } else if (before == Phase.IDLE) {
            yieldOnce();
        }
        byte[] bytes = receive();
        if (phase.now() == Phase.IDLE) {
            enter(Phase.HEAD, reaper.scaled(limits.headerTime()));
        } else if (before == Phase.BODY) {
            phase.transferred(bytes.length);
            rawBodyLeft -= bytes.length;
            if (rawBodyLeft < 0) {
                throw new BadInput(413, "The chunked encoding of the body is too large for its content.");
            }
            if (framing != null) {
                framing.follow(bytes);
            }
        }
        return bytes;
    }

    /**
     * Lets other threads run before an idle read: the next request mostly arrives meanwhile. An empty read and waiting for the
     * JDK's poller cost two or three of the eight system calls of a request. On an idle machine the yield costs almost nothing.
     */
    @SuppressWarnings("ThreadPriorityCheck") // correctness does not depend on it
    private static void yieldOnce() {
        Thread.yield();
    }

    /** Reads from the socket. Any end of the stream becomes a CloseConnectionException, which Helidon does not log. */
    private byte[] receive() {
        byte[] bytes;
        try {
            bytes = context.serverSocket().get();
        } catch (RuntimeException e) {
            gone = true;
            throw new CloseConnectionException("cannot read", e);
        }
        if (bytes == null) {
            gone = true;
            throw new CloseConnectionException("end of stream");
        }
        return bytes;
    }

    /**
     * Reads and discards the rest of a request that was answered early: closing immediately would reset the connection, and the
     * client might lose the answer.
     */
    private void discardRest() {
        Phase last = phase.now();
        boolean unread = last == Phase.HEAD || last == Phase.BODY || last == Phase.LINGER;
        if (gone || !unread) {
            return;
        }
        try {
            enter(Phase.LINGER, reaper.scaled(HttpSource.Limits.LINGER));
            while (context.serverSocket().get() != null) {
                // Discarded.
            }
        } catch (RuntimeException e) {
            // Closed by either side, as expected.
        }
    }

    /**
     * Closes this connection if its phase is overdue. An idle one whose next request has arrived is not idle: its own thread has
     * had no time to read it, for instance because the process was suspended.
     */
    void closeIfOverdue(long now) {
        boolean arrived = phase.now() == Phase.IDLE
                && timeLeft(now) <= 0
                && context instanceof AcceptedConnection accepted
                && accepted.hasUnread();
        if (!arrived) {
            boolean _ = closeAfter(phase.closeIfOverdue(now));
        }
    }

    /** Closes this connection to make room for another; returns false if a transaction is in progress. */
    boolean evict(long now) {
        return closeAfter(phase.evict(now));
    }

    /** Closes this connection if it holds a body in memory and its client is slow; returns whether it did. */
    boolean closeIfSlow(long now) {
        return closeAfter(phase.closeIfSlow(now));
    }

    private boolean closeAfter(@Nullable Phase last) {
        if (last == Phase.HEAD || last == Phase.BODY) {
            // On a separate thread: a client that does not read must not block the reaper.
            Thread.ofVirtual().name("penstock-http-408").start(this::answerTimeout);
        } else if (last != null) {
            closeSocket();
        }
        return last != null;
    }

    /** Nanoseconds until the phase is overdue. */
    long timeLeft(long now) {
        return phase.until() - now;
    }

    /** The address of the client. First called by the connection's own thread, before it is shared. */
    InetAddress client() {
        if (client == null) {
            client = context.remotePeer().address() instanceof InetSocketAddress inet
                    ? inet.getAddress()
                    : InetAddress.getLoopbackAddress();
        }
        return client;
    }

    private void answerTimeout() {
        try {
            HttpAnswer answer = ProblemDetails.ofBadInput(
                    408, "The request was not received completely within the time limit.", null);
            context.serverSocket().write(BufferData.create(ProblemDetails.finalResponse(answer)));
        } catch (RuntimeException e) {
            // The client disconnected.
        } finally {
            closeSocket();
        }
    }

    private void closeSocket() {
        try {
            context.serverSocket().close();
        } catch (RuntimeException e) {
            // Closed already.
        }
    }

    /** Closes it and interrupts its thread; without interrupt it continues until its last answer. */
    @Override
    public void close(boolean interrupt) {
        if (interrupt) {
            closeSocket();
            Thread handling = thread;
            if (handling != null) {
                handling.interrupt();
            }
        }
    }

    @Override
    public Duration idleTime() {
        // Enforced by the reaper.
        return Duration.ZERO;
    }

    @Override
    public DataReader dataReader() {
        return reader;
    }
}
