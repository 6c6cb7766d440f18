package dev.penstock.http.pool;

import dev.penstock.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a pool. Its lessee reads and writes it, blocking, on one thread at a time; interrupting that thread closes
 * the connection.
 */
public final class Connection {
    private static final long NO_TIMEOUT = Long.MAX_VALUE;
    private static final long TIMED_OUT = Long.MAX_VALUE - 1;

    private final SocketTransport socketTransport;
    private final Ticker ticker;
    private final long openedAt;
    private final AtomicLong timeoutAt = new AtomicLong(NO_TIMEOUT);
    private final InputStream in = new In();
    private final OutputStream out = new Out();
    private TransportLayer layer;
    private long leasedAt;
    private long securedAt;
    private long firstByteAt;
    private boolean reused;

    /** Whether it is in the pool, unless it was closed. Changed only under the lock of the transport. */
    private volatile boolean idle;

    private volatile long idleSince;
    private volatile long retireAt = Long.MAX_VALUE;

    /** Creates a connection that is leased by the caller. */
    Connection(SocketChannel channel, BufferPool<ReadBuffer> readBuffers, Ticker ticker) {
        this.socketTransport = new SocketTransport(channel, readBuffers);
        this.layer = new PlainTransport(socketTransport);
        this.ticker = ticker;
        this.openedAt = ticker.nanos();
        this.leasedAt = openedAt;
        this.securedAt = openedAt;
    }

    /** The bytes from the peer. */
    public InputStream in() {
        return in;
    }

    /** The bytes to the peer. Each write is sent immediately. */
    public OutputStream out() {
        return out;
    }

    /** Whether it was used before this lease. */
    public boolean isReused() {
        return reused;
    }

    /** How long it had been idle when it was leased, in nanoseconds; 0 for a new connection. */
    long idleAge() {
        return reused ? leasedAt - idleSince : 0;
    }

    /** When it was leased, by the ticker. */
    long leasedAt() {
        return leasedAt;
    }

    long idleSince() {
        return idleSince;
    }

    /** When to close it while it is idle, by the ticker; {@link Long#MAX_VALUE} for never. */
    long retireAt() {
        return retireAt;
    }

    /** Adds TLS, once the handshake is complete. */
    void secured(TransportLayer tls) {
        layer = tls;
        securedAt = ticker.nanos();
        socketTransport.resetSent();
    }

    /** When the TLS handshake was complete, by the ticker; without TLS, when TCP was connected. */
    public long securedAt() {
        return securedAt;
    }

    /** When TCP was connected, by the ticker. */
    public long openedAt() {
        return openedAt;
    }

    /** When {@link #awaitAnswer} saw the first byte of the last answer, by the ticker; 0 if none came in this lease. */
    public long firstByteAt() {
        return firstByteAt;
    }

    /** Whether the socket accepted any byte in this lease. If not, the peer cannot have received anything. */
    public boolean hasSent() {
        return socketTransport.hasSent();
    }

    SocketTransport socketTransport() {
        return socketTransport;
    }

    // Timeout

    /** Removes the timeout; returns false if it has already expired. */
    public boolean clearTimeout() {
        return timeoutAt.getAndUpdate(at -> at == TIMED_OUT ? TIMED_OUT : NO_TIMEOUT) != TIMED_OUT;
    }

    /** Whether it was closed by its timeout. */
    public boolean hasTimedOut() {
        return timeoutAt.get() == TIMED_OUT;
    }

    void setTimeout(long at) {
        timeoutAt.compareAndSet(NO_TIMEOUT, at);
    }

    /** When it times out, by the ticker; {@link Long#MAX_VALUE} if no timeout is set. */
    long timeoutAt() {
        long at = timeoutAt.get();
        return at == TIMED_OUT ? NO_TIMEOUT : at;
    }

    /** Closes it if this timeout is still set. */
    void timeOut(long at) {
        if (timeoutAt.compareAndSet(at, TIMED_OUT)) {
            close();
        }
    }

    // States in the pool

    /** Leases it if it is idle and alive; returns null if it is closed or already leased. */
    @Nullable
    Liveness leaseIfAlive(long now) {
        socketTransport.lock();
        try {
            if (!isIdle()) {
                return null;
            }
            Liveness liveness = socketTransport.check(layer);
            if (liveness == Liveness.ALIVE) {
                lease(now);
            }
            return liveness;
        } finally {
            socketTransport.unlock();
        }
    }

    /** Leases it without checking that it is alive; returns false if it is closed or already leased. */
    boolean leaseUnchecked(long now) {
        socketTransport.lock();
        try {
            boolean wasIdle = isIdle();
            if (wasIdle) {
                lease(now);
            }
            return wasIdle;
        } finally {
            socketTransport.unlock();
        }
    }

    private void lease(long now) {
        idle = false;
        reused = true;
        leasedAt = now;
        firstByteAt = 0;
        socketTransport.resetSent();
    }

    /**
     * Makes it idle. Closes it if it cannot be reused, for instance because unread data is left, which belongs to no answer.
     *
     * @param now since when it is idle, by the ticker
     * @param until when to close it
     */
    void makeIdle(long now, long until) {
        socketTransport.lock();
        try {
            idleSince = now;
            retireAt = until;
            idle = true;
            if (!socketTransport.isClosed()
                    && (isSpent()
                            || layer.becomeIdle() != Liveness.ALIVE
                            || socketTransport.hasUnexpectedData(layer))) {
                socketTransport.close();
            }
            socketTransport.releaseReadBuffer();
        } finally {
            socketTransport.unlock();
        }
    }

    /** Whether it cannot be reused: its input ended, failed or is paused by a full buffer, or its timeout is still set. */
    boolean isSpent() {
        return socketTransport.isSpent() || timeoutAt.get() != NO_TIMEOUT;
    }

    /** Whether the read buffer is full, so that the loop reads no more until its lessee reads. */
    boolean isPaused() {
        return socketTransport.isPaused();
    }

    /** Closes it; called by its lessee. */
    void discard() {
        socketTransport.lock();
        try {
            socketTransport.close();
            socketTransport.releaseReadBuffer();
        } finally {
            socketTransport.unlock();
        }
    }

    /** Checks it while it is idle, and closes it if it is not alive; returns null if it is not idle. */
    @Nullable
    Liveness checkIdle() {
        socketTransport.lock();
        try {
            return isIdle() ? socketTransport.check(layer) : null;
        } finally {
            socketTransport.unlock();
        }
    }

    /** Closes it if it is idle; returns whether it was. */
    boolean closeIfIdle() {
        socketTransport.lock();
        try {
            boolean wasIdle = isIdle();
            if (wasIdle) {
                socketTransport.close();
            }
            return wasIdle;
        } finally {
            socketTransport.unlock();
        }
    }

    /** Closes it, leased or not. */
    void close() {
        socketTransport.close();
    }

    /** Closes it, leased or not, and passes the reason to its lessee. */
    void fail(Throwable why) {
        socketTransport.fail(new HandlerFailed(why));
    }

    boolean isClosed() {
        return socketTransport.isClosed();
    }

    boolean isIdle() {
        return idle && !socketTransport.isClosed();
    }

    /**
     * Handles an event of the channel; called by the loop.
     *
     * @return whether it was idle, and was closed because the peer closed it or sent data
     */
    boolean ready(SelectionKey which) {
        socketTransport.lock();
        try {
            if (!idle && !socketTransport.isClosed()) {
                socketTransport.ready(which);
            }
            return isIdle() && socketTransport.check(layer) != Liveness.ALIVE;
        } finally {
            socketTransport.unlock();
        }
    }

    /** Waits for the first byte of an answer, or the end of the stream. */
    public void awaitAnswer() throws IOException {
        if (layer.awaitData()) {
            firstByteAt = ticker.nanos();
        }
    }

    private final class In extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return layer.read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int max) throws IOException {
            return max == 0 ? 0 : layer.read(into, from, max);
        }
    }

    private final class Out extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            layer.write(bytes, from, length);
        }
    }
}
