package dev.penstock.http;

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
import java.util.concurrent.atomic.AtomicLong;
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

    /** Who sends a body, or reads an answer, slower than so many bytes a second is slow. */
    static final long LEAST_RATE = 64 << 10;

    /** How much a connection is missed that cannot be closed: a transaction of it is under way. */
    static final int MUST_STAY = 3;

    /** Nobody is slow before that time. */
    private static final long GRACE = 1_000_000_000;

    private record Stand(Phase phase, long since, long until) {}

    private final Guard guard;
    private final SourceLimits limits;
    private final LenientReader reader;
    private final ServerConnection connection;
    private final AtomicReference<Stand> stand;
    /** Bytes of the body, or of the answer, so far. */
    private final AtomicLong moved = new AtomicLong();

    private volatile boolean waiting;
    private volatile @Nullable Thread thread;
    private long rawBodyLeft;
    private @Nullable ChunkFraming framing;
    private boolean gone;

    GuardedConnection(ConnectionContext context, Guard guard, SourceLimits limits, ServerConnectionSelector selector) {
        super(context);
        this.guard = guard;
        this.limits = limits;
        this.reader = new LenientReader(this::read);
        long now = System.nanoTime();
        this.stand = new AtomicReference<>(new Stand(
                Phase.IDLE, now, now + guard.shrunk(limits.headerTime()).toNanos()));
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

    /** Gives the answer its full time again. How long it has lasted goes on. */
    void goOnAnswering() {
        long since = stand.get().since;
        enter(Phase.ANSWER, since, limits.bodyTime());
    }

    /** Enters the phase in which what still comes of a request that was not read whole is dropped. */
    void drop() {
        enter(Phase.LINGER, SourceLimits.LINGER);
    }

    void idle() {
        reader.renew();
        enter(Phase.IDLE, guard.shrunk(limits.idleTime()));
    }

    private void enter(Phase next, Duration time) {
        moved.set(0);
        enter(next, System.nanoTime(), time);
    }

    private void enter(Phase next, long since, Duration time) {
        Stand before = stand.get();
        long until = System.nanoTime() + time.toNanos();
        if (before.phase == Phase.CUT || !stand.compareAndSet(before, new Stand(next, since, until))) {
            throw new CloseConnectionException("cut: too slow");
        }
    }

    /** Notes that so many bytes of an answer have left. */
    void progressed(int bytes) {
        moved.addAndGet(bytes);
    }

    /** Runs work during which it is not the client who is slow. */
    <T, X extends Throwable> T whileWaiting(ScopedValue.CallableOp<T, X> work) throws X {
        waiting = true;
        try {
            return work.call();
        } finally {
            waiting = false;
        }
    }

    private byte[] read() {
        Phase phase = stand.get().phase;
        if (phase == Phase.IDLE && reader.available() > 0) {
            enter(Phase.HEAD, guard.shrunk(limits.headerTime()));
        } else if (phase == Phase.IDLE) {
            letOthersGoFirst();
        }
        byte[] bytes = receive();
        if (stand.get().phase == Phase.IDLE) {
            enter(Phase.HEAD, guard.shrunk(limits.headerTime()));
        } else if (phase == Phase.BODY) {
            moved.addAndGet(bytes.length);
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
        if (current.until - now <= 0) {
            boolean _ = cut(current);
        }
    }

    /** Nanoseconds until its phase is overdue. */
    long timeLeft(long now) {
        return stand.get().until - now;
    }

    /** Cuts this connection, unless it has just gone on to its next phase. */
    boolean cut() {
        return cut(stand.get());
    }

    private boolean cut(Stand current) {
        long now = System.nanoTime();
        Stand cut = new Stand(Phase.CUT, now, now + SourceLimits.LAST_WORDS.toNanos());
        if (!stand.compareAndSet(current, cut)) {
            return false;
        }
        if (current.phase == Phase.HEAD || current.phase == Phase.BODY) {
            // On a thread of its own: a client that does not read must not hold up the guard.
            Thread.ofVirtual().name("penstock-cut").start(this::lastWords);
        } else {
            shut();
        }
        return true;
    }

    /** Whether it is in a phase in which it holds a body. */
    boolean holdsMemory() {
        Phase phase = stand.get().phase;
        return phase == Phase.BODY || phase == Phase.ANSWER;
    }

    /** Whether its client sends or reads less than {@link #LEAST_RATE}. */
    boolean isSlow(long now) {
        long lasts = now - stand.get().since;
        return lasts > GRACE && !waiting && moved.get() < LEAST_RATE * (lasts / 1e9);
    }

    /** How much it would be missed if it were closed, from 0. */
    int missed(long now) {
        return switch (stand.get().phase) {
            case CUT, FLOW -> MUST_STAY;
            case IDLE -> 1;
            case HEAD, BODY, LINGER -> isSlow(now) ? 0 : 1;
            case ANSWER -> isSlow(now) ? 2 : MUST_STAY;
        };
    }

    /** When its phase began. */
    long began() {
        return stand.get().since;
    }

    /** Where it comes from. */
    InetAddress client() {
        return context.remotePeer().address() instanceof InetSocketAddress inet
                ? inet.getAddress()
                : InetAddress.getLoopbackAddress();
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
