package dev.penstock.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection whose every phase is bounded in time.
 *
 * <h2>Design note</h2>
 *
 * <p>The server underneath bounds sizes, and the time that a connection lies idle, but no read: a client that sends a
 * byte now and then holds its connection for good (its sockets are NIO channels, which know no read timeout). So this
 * wraps the server's own connection: it hands it a reader that passes through here, notes for each phase until when it
 * may last, and lets {@link Guard} close what is overdue. Blocked reads end at once when their socket is closed.
 *
 * <p>Phases change by compare-and-set: either the connection's own thread goes on to the next phase, or the guard cuts
 * the connection, never both. So the guard may write the 408 by itself: nothing else writes any more.
 */
final class GuardedConnection extends WrappedContext implements ServerConnection {
    /** The connection that the calling thread handles. */
    static final ScopedValue<GuardedConnection> CURRENT = ScopedValue.newInstance();

    enum Phase {
        /** Nothing of a next request has come. */
        IDLE,
        /** Reading the head of a request. */
        HEAD,
        /** Reading the body of a request. */
        BODY,
        /** In the flow, which has bounds of its own. */
        FLOW,
        /** Writing an answer. */
        ANSWER,
        /** Answered, and to be closed: what still comes in is dropped. */
        LINGER,
        /** Overdue. */
        CUT
    }

    private record Stand(Phase phase, long until) {}

    private final Guard guard;
    private final SourceLimits limits;
    private final LenientReader reader;
    private final ServerConnection connection;
    private final AtomicReference<Stand> stand;
    private volatile @Nullable Thread thread;
    private long rawBodyLeft;
    private @Nullable ChunkFraming framing;
    private boolean gone;

    GuardedConnection(ConnectionContext context, Guard guard, SourceLimits limits, ServerConnectionSelector selector) {
        super(context);
        this.guard = guard;
        this.limits = limits;
        this.reader = new LenientReader(this::read);
        this.stand = new AtomicReference<>(new Stand(Phase.IDLE, after(limits.headerTime())));
        this.connection = selector.connection(this);
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
        thread = Thread.currentThread();
        try {
            if (!guard.add(this)) {
                throw new CloseConnectionException("the source is closed");
            }
            ScopedValue.where(CURRENT, this).call(() -> {
                connection.handle(limit);
                return limit;
            });
        } finally {
            try {
                linger();
            } finally {
                guard.remove(this);
            }
        }
    }

    /** Whether the client sent the current request as HTTP/1.0. */
    boolean isHttp10() {
        return reader.isHttp10();
    }

    /** The host, and port if there is one, of a request target in absolute form, not checked; null for other targets. */
    @Nullable
    String authority() {
        return reader.authority();
    }

    boolean isReadingHead() {
        return stand.get().phase == Phase.HEAD;
    }

    /** Enters the phase of reading a body, which may have so many bytes. What of it has come already is looked at now. */
    void body(int maxBody, boolean chunked) {
        framing = chunked ? new ChunkFraming() : null;
        int here = reader.available();
        if (framing != null && here > 0) {
            framing.follow(reader.getBuffer(here).readBytes());
        }
        // Chunks may be as small as a byte, which takes six on the wire; beyond that the rest is extensions.
        rawBodyLeft = 8L * maxBody + (64 << 10);
        enter(Phase.BODY, limits.bodyTime());
    }

    void flow() {
        enter(Phase.FLOW, Duration.ofDays(1));
    }

    void answer() {
        enter(Phase.ANSWER, limits.bodyTime());
    }

    /** Enters the phase in which what still comes of a request that was not read whole is dropped. */
    void drop() {
        enter(Phase.LINGER, SourceLimits.LINGER);
    }

    void idle() {
        reader.renew();
        enter(Phase.IDLE, limits.idleTime());
    }

    private void enter(Phase next, Duration time) {
        Stand now = stand.get();
        if (now.phase == Phase.CUT || !stand.compareAndSet(now, new Stand(next, after(time)))) {
            throw new CloseConnectionException("cut: too slow");
        }
    }

    private static long after(Duration time) {
        return System.nanoTime() + time.toNanos();
    }

    private byte[] read() {
        Phase phase = stand.get().phase;
        if (phase == Phase.IDLE && reader.available() > 0) {
            enter(Phase.HEAD, limits.headerTime());
        } else if (phase == Phase.IDLE) {
            letOthersGoFirst();
        }
        byte[] bytes = receive();
        if (stand.get().phase == Phase.IDLE) {
            enter(Phase.HEAD, limits.headerTime());
        } else if (phase == Phase.BODY) {
            rawBodyLeft -= bytes.length;
            if (rawBodyLeft < 0) {
                throw new BadInput(413, "The body takes too many bytes on the wire for what it holds.");
            }
            if (framing != null) {
                framing.follow(bytes);
            }
        }
        return bytes;
    }

    /**
     * While others work the next request mostly comes, and is there to be read. A read in vain, telling the JDK's poller and
     * being told by it are two or three system calls of eight in a request. With nothing else to do this is next to nothing.
     */
    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it
    private static void letOthersGoFirst() {
        Thread.yield();
    }

    /** Whatever ends the stream, this is how the server hears of it without a word in its log. */
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

    /** Drops what still comes of a request that was answered early: closing at once would reset the answer away. */
    private void linger() {
        Phase phase = stand.get().phase;
        boolean unread = phase == Phase.HEAD || phase == Phase.BODY || phase == Phase.LINGER;
        if (gone || !unread) {
            return;
        }
        try {
            enter(Phase.LINGER, SourceLimits.LINGER);
            while (context.serverSocket().get() != null) {
                // Dropped.
            }
        } catch (RuntimeException e) {
            // Closed, by either side: that is what it waited for.
        }
    }

    /** Cuts this connection if its phase has lasted too long. */
    void cutIfOverdue(long now) {
        Stand current = stand.get();
        if (now - current.until < 0) {
            return;
        }
        Stand cut = new Stand(Phase.CUT, now + SourceLimits.LAST_WORDS.toNanos());
        if (!stand.compareAndSet(current, cut)) {
            return;
        }
        if (current.phase == Phase.HEAD || current.phase == Phase.BODY) {
            // On a thread of its own: a client that does not read must not hold up the guard.
            Thread.ofVirtual().name("penstock-cut").start(this::lastWords);
        } else {
            shut();
        }
    }

    /** Nanoseconds until its phase is overdue. */
    long timeLeft(long now) {
        return stand.get().until - now;
    }

    boolean isCut() {
        return stand.get().phase == Phase.CUT;
    }

    /** Cuts this connection at once, whatever it is doing. */
    void cut() {
        stand.set(new Stand(Phase.CUT, after(SourceLimits.LAST_WORDS)));
        shut();
    }

    private void lastWords() {
        try {
            HttpAnswer answer =
                    Problem.ofBadInput(408, "The request did not come in whole within the time allowed.", null);
            context.serverSocket().write(BufferData.create(Problem.lastWords(answer)));
        } catch (RuntimeException e) {
            // It went away: it needs no words.
        } finally {
            shut();
        }
    }

    private void shut() {
        try {
            context.serverSocket().close();
        } catch (RuntimeException e) {
            // Closed already.
        }
    }

    /** Called by the server when it stops. A connection is not interrupted before its last answer unless asked to. */
    @Override
    public void close(boolean interrupt) {
        if (!interrupt) {
            guard.letAcceptorFinish();
        } else {
            shut();
            Thread handling = thread;
            if (handling != null) {
                handling.interrupt();
            }
        }
    }

    @Override
    public Duration idleTime() {
        // The guard sees to it.
        return Duration.ZERO;
    }

    @Override
    public DataReader dataReader() {
        return reader;
    }
}
