package dev.penstock.http;

import dev.penstock.http.ConnectionPhase.Phase;
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
 * A client's connection whose every phase is bounded in time.
 *
 * <h2>Design note</h2>
 *
 * <p>The server underneath bounds sizes, and the time that a connection lies idle, but no read: a client that sends a
 * byte now and then holds its connection for good (its sockets are NIO channels, which know no read timeout). So this
 * wraps the server's own connection: it hands it a reader that passes through here, notes for each phase until when it
 * may last, and lets {@link IdleConnectionReaper} close what is overdue. Blocked reads end at once when their socket is closed.
 *
 * <p>When the reaper has cut the connection, its own thread goes on to no further phase. So the reaper may write the 408 by
 * itself: nothing else writes any more.
 */
final class TimedConnection extends WrappedContext implements ServerConnection {
    /** The connection that the calling thread handles. */
    static final ScopedValue<TimedConnection> CURRENT = ScopedValue.newInstance();

    private final IdleConnectionReaper reaper;
    private final SourceLimits limits;
    private final LenientReader reader;
    private final ServerConnection connection;
    private final ConnectionPhase phase;
    private @Nullable InetAddress client;
    private volatile @Nullable Thread thread;
    private long rawBodyLeft;
    private @Nullable ChunkFraming framing;
    private boolean gone;

    TimedConnection(ConnectionContext context, IdleConnectionReaper reaper, SourceLimits limits, ServerConnectionSelector selector) {
        super(context);
        this.reaper = reaper;
        this.limits = limits;
        this.reader = new LenientReader(this::read);
        this.phase = new ConnectionPhase(System.nanoTime(), reaper.shrunk(limits.headerTime()));
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
                linger();
            } finally {
                reaper.remove(this);
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
        return phase.now() == Phase.HEAD;
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

    /** Gives the answer its full time again. */
    void goOnAnswering() {
        orLeave(phase.renew(System.nanoTime(), limits.bodyTime()));
    }

    /** Enters the phase in which what still comes of a request that was not read whole is dropped. */
    void drop() {
        enter(Phase.LINGER, reaper.shrunk(SourceLimits.LINGER));
    }

    void idle() {
        reader.renew();
        enter(Phase.IDLE, reaper.shrunk(limits.idleTime()));
    }

    private void enter(Phase next, Duration time) {
        orLeave(phase.enter(next, System.nanoTime(), time));
    }

    private static void orLeave(boolean entered) {
        if (!entered) {
            throw new CloseConnectionException("cut: too slow");
        }
    }

    /** What it does now. */
    ConnectionPhase phase() {
        return phase;
    }

    private byte[] read() {
        Phase before = phase.now();
        if (before == Phase.IDLE && reader.available() > 0) {
            enter(Phase.HEAD, reaper.shrunk(limits.headerTime()));
        } else if (before == Phase.IDLE) {
            letOthersGoFirst();
        }
        byte[] bytes = receive();
        if (phase.now() == Phase.IDLE) {
            enter(Phase.HEAD, reaper.shrunk(limits.headerTime()));
        } else if (before == Phase.BODY) {
            phase.moved(bytes.length);
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
        Phase last = phase.now();
        boolean unread = last == Phase.HEAD || last == Phase.BODY || last == Phase.LINGER;
        if (gone || !unread) {
            return;
        }
        try {
            enter(Phase.LINGER, reaper.shrunk(SourceLimits.LINGER));
            while (context.serverSocket().get() != null) {
                // Dropped.
            }
        } catch (RuntimeException e) {
            // Closed, by either side: that is what it waited for.
        }
    }

    /** Cuts this connection if its phase has lasted too long. */
    void cutIfOverdue(long now) {
        boolean _ = isCut(phase.cutIfOverdue(now));
    }

    /** Cuts this connection; false when it has just gone on to its next phase. */
    boolean cut() {
        return isCut(phase.cut(System.nanoTime()));
    }

    private boolean isCut(@Nullable Phase last) {
        if (last == Phase.HEAD || last == Phase.BODY) {
            // On a thread of its own: a client that does not read must not hold up the reaper.
            Thread.ofVirtual().name("penstock-cut").start(this::lastWords);
        } else if (last != null) {
            shut();
        }
        return last != null;
    }

    /** Nanoseconds until its phase is overdue. */
    long timeLeft(long now) {
        return phase.until() - now;
    }

    /** Where it comes from. Asked first by its own thread, before others know it. */
    InetAddress client() {
        if (client == null) {
            client = context.remotePeer().address() instanceof InetSocketAddress inet
                    ? inet.getAddress()
                    : InetAddress.getLoopbackAddress();
        }
        return client;
    }

    private void lastWords() {
        try {
            HttpAnswer answer =
                    ProblemDetails.ofBadInput(408, "The request did not come in whole within the time allowed.", null);
            context.serverSocket().write(BufferData.create(ProblemDetails.lastWords(answer)));
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

    /** Ends it, and interrupts what handles it; without an interrupt it goes on to its last answer. */
    @Override
    public void close(boolean interrupt) {
        if (interrupt) {
            shut();
            Thread handling = thread;
            if (handling != null) {
                handling.interrupt();
            }
        }
    }

    @Override
    public Duration idleTime() {
        // The reaper sees to it.
        return Duration.ZERO;
    }

    @Override
    public DataReader dataReader() {
        return reader;
    }
}
