package dev.penstock.http.pool;

import dev.penstock.Ticker;
import dev.penstock.http.pool.TransportLayer.Liveness;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a pool. Its lessee, who holds the {@link Lease}, reads and writes it, blocking, on one thread at a time;
 * interrupting that thread closes the connection.
 *
 * <pre>
 *   LEASED --makeIdle--> IDLE --lease--> LEASED
 *   LEASED, IDLE --close--> CLOSED
 * </pre>
 */
public final class Connection {
    /** Where a connection is in its life. Changes under the lock of the transport; {@code CLOSED} is final. */
    enum State {
        /** Used by one lessee. A new connection is leased by the caller that opens it. */
        LEASED,
        /** In the pool, free to be leased. */
        IDLE,
        CLOSED
    }

    /** A connection was closed by this process because its event handler threw an exception. */
    public static final class HandlerFailed extends IOException {
        private static final long serialVersionUID = 1L;

        HandlerFailed(Throwable why) {
            super("its event handler failed: " + why, why);
        }
    }

    private final SocketTransport socketTransport;
    private final ExchangeTimeout timeout = new ExchangeTimeout();
    private final Ticker ticker;
    private final long openedAt;
    private final InputStream in = new In();
    private final OutputStream out = new Out();
    private TransportLayer layer;
    private long leasedAt;
    private long securedAt;
    private boolean reused;
    private volatile long idleSince;
    private volatile long retireAt = Long.MAX_VALUE;

    /** Creates a connection that is leased by the caller. */
    Connection(SocketChannel channel, BufferPool<SocketInput.Buffer> buffers, Ticker ticker) {
        this.socketTransport = new SocketTransport(channel, buffers);
        this.layer = new TransportLayer.Plain(socketTransport);
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

    /** Waits for the first byte of an answer; returns when it came, by the ticker, or 0 at the end of the stream. */
    public long awaitAnswer() throws IOException {
        return layer.awaitData() ? ticker.nanos() : 0;
    }

    /** Whether the socket accepted any byte in this lease. If not, the peer cannot have received anything. */
    public boolean hasSent() {
        return socketTransport.hasSent();
    }

    /** Removes the timeout; returns false if it has already expired. */
    public boolean clearTimeout() {
        return timeout.clear();
    }

    /** Whether it was closed by its timeout. */
    public boolean hasTimedOut() {
        return timeout.hasExpired();
    }

    /** Whether it was used before this lease. */
    public boolean isReused() {
        return reused;
    }

    /** When TCP was connected, by the ticker. */
    public long openedAt() {
        return openedAt;
    }

    /** When the TLS handshake was complete, by the ticker; without TLS, when TCP was connected. */
    public long securedAt() {
        return securedAt;
    }

    /** Adds TLS, once the handshake is complete. */
    void secured(TransportLayer tls) {
        layer = tls;
        securedAt = ticker.nanos();
        socketTransport.resetSent();
    }

    ExchangeTimeout timeout() {
        return timeout;
    }

    SocketTransport socketTransport() {
        return socketTransport;
    }

    /** When it was leased, by the ticker. */
    long leasedAt() {
        return leasedAt;
    }

    long idleSince() {
        return idleSince;
    }

    /** How long it had been idle when it was leased, in nanoseconds; 0 for a new connection. */
    long idleAge() {
        return reused ? leasedAt - idleSince : 0;
    }

    /** When to close it while it is idle, by the ticker; {@link Long#MAX_VALUE} for never. */
    long retireAt() {
        return retireAt;
    }

    boolean isClosed() {
        return socketTransport.isClosed();
    }

    boolean isIdle() {
        return socketTransport.state() == State.IDLE;
    }

    /**
     * Leases it if it is idle and alive.
     *
     * @return null if it is closed or already leased
     */
    @Nullable
    Liveness lease(long now) {
        socketTransport.lock();
        try {
            if (!isIdle()) {
                return null;
            }
            Liveness liveness = socketTransport.check(layer);
            if (liveness == Liveness.ALIVE) {
                socketTransport.become(State.LEASED);
                socketTransport.resetSent();
                reused = true;
                leasedAt = now;
            }
            return liveness;
        } finally {
            socketTransport.unlock();
        }
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
            if (!isClosed() && isClean()) {
                socketTransport.become(State.IDLE);
            } else if (!isClosed()) {
                socketTransport.close();
            }
            socketTransport.input().release();
        } finally {
            socketTransport.unlock();
        }
    }

    private boolean isClean() {
        return !isSpent() && layer.becomeIdle() == Liveness.ALIVE && !socketTransport.hasUnexpectedData(layer);
    }

    /** Whether it cannot be reused: its input ended, failed or is paused by a full buffer, or its timeout is still set. */
    boolean isSpent() {
        return socketTransport.input().isSpent() || timeout.isSet();
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

    /** Closes it; called by its lessee. */
    void discard() {
        socketTransport.lock();
        try {
            socketTransport.close();
            socketTransport.input().release();
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

    /**
     * Handles an event of the channel; called by the loop.
     *
     * @return whether it was idle, and was closed because the peer closed it or sent data
     */
    boolean ready(SelectionKey which) {
        socketTransport.lock();
        try {
            return switch (socketTransport.state()) {
                case LEASED -> {
                    socketTransport.ready(which);
                    yield false;
                }
                case IDLE -> socketTransport.check(layer) != Liveness.ALIVE;
                case CLOSED -> false;
            };
        } finally {
            socketTransport.unlock();
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
