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
 * One connection of a pool. Who has leased it reads and writes it, blocking, on one thread at a time; an interrupt of that
 * thread ends the connection.
 */
public final class Connection {
    private static final long NO_CUT = Long.MAX_VALUE;
    private static final long CUT = Long.MAX_VALUE - 1;

    private final SocketTransport socketTransport;
    private final Ticker ticker;
    private final long openedAt;
    private final AtomicLong cutAt = new AtomicLong(NO_CUT);
    private final InputStream in = new In();
    private final OutputStream out = new Out();
    private TransportLayer layer;
    private long takenAt;
    private long securedAt;
    private long firstByteAt;
    private boolean reused;

    /** Whether it is in the pool, unless it was closed. Changed with the lock of the wire only. */
    private volatile boolean idle;

    private volatile long idleSince;
    private volatile long retireAt = Long.MAX_VALUE;

    /** A connection that is leased by the caller. */
    Connection(SocketChannel channel, BufferPool<ReadBuffer> inboxes, Ticker ticker) {
        this.socketTransport = new SocketTransport(channel, inboxes);
        this.layer = new PlainTransport(socketTransport);
        this.ticker = ticker;
        this.openedAt = ticker.nanos();
        this.takenAt = openedAt;
        this.securedAt = openedAt;
    }

    /** What comes from the peer. */
    public InputStream in() {
        return in;
    }

    /** What goes to the peer. Each write is sent at once. */
    public OutputStream out() {
        return out;
    }

    /** Whether it carried something before this lease. */
    public boolean isReused() {
        return reused;
    }

    /** For how long it had been idle when it was leased, nanoseconds; 0 for a new one. */
    long idleAge() {
        return reused ? takenAt - idleSince : 0;
    }

    /** When it was leased, by the ticker. */
    long takenAt() {
        return takenAt;
    }

    long idleSince() {
        return idleSince;
    }

    /** When to retire it while it is idle, by the ticker; {@link Long#MAX_VALUE} for never. */
    long retireAt() {
        return retireAt;
    }

    /** Puts TLS between, once its handshake is over. */
    void secured(TransportLayer tls) {
        layer = tls;
        securedAt = ticker.nanos();
        socketTransport.begin();
    }

    /** When TLS was through, by the ticker; when TCP was where there is none. */
    public long securedAt() {
        return securedAt;
    }

    /** When TCP was through, by the ticker. */
    public long openedAt() {
        return openedAt;
    }

    /** When {@link #awaitAnswer} saw the first byte of the last answer, by the ticker; 0 when none came since it was leased. */
    public long firstByteAt() {
        return firstByteAt;
    }

    /** Whether the system took anything to send since it was leased. What it did not take, the peer cannot have. */
    public boolean hasSent() {
        return socketTransport.hasSent();
    }

    SocketTransport socketTransport() {
        return socketTransport;
    }

    // Time limits

    /** Ends it being cut; false when it was cut before. */
    public boolean endCut() {
        return cutAt.getAndUpdate(at -> at == CUT ? CUT : NO_CUT) != CUT;
    }

    /** Whether it was closed because its time was up. */
    public boolean wasCut() {
        return cutAt.get() == CUT;
    }

    void setCut(long at) {
        cutAt.compareAndSet(NO_CUT, at);
    }

    /** When it is to be cut, by the ticker; {@link Long#MAX_VALUE} when it is not. */
    long cutAt() {
        long at = cutAt.get();
        return at == CUT ? NO_CUT : at;
    }

    /** Closes it when the cut that was set then is still set. */
    void cut(long at) {
        if (cutAt.compareAndSet(at, CUT)) {
            close();
        }
    }

    // Its life in the pool

    /** Takes it out of the pool after a look; null for one that was closed or taken before. */
    @Nullable
    Liveness take(long now) {
        socketTransport.lock();
        try {
            if (!isIdle()) {
                return null;
            }
            Liveness look = socketTransport.look(layer);
            if (look == Liveness.QUIET) {
                lease(now);
            }
            return look;
        } finally {
            socketTransport.unlock();
        }
    }

    /** Takes it out of the pool without a look; false for one that was closed or taken before. */
    boolean takeUnseen(long now) {
        socketTransport.lock();
        try {
            boolean taken = isIdle();
            if (taken) {
                lease(now);
            }
            return taken;
        } finally {
            socketTransport.unlock();
        }
    }

    private void lease(long now) {
        idle = false;
        reused = true;
        takenAt = now;
        firstByteAt = 0;
        socketTransport.begin();
    }

    /**
     * Makes it idle, or closes it when it cannot be: what came and was not read is no answer to anything.
     *
     * @param now since when, by the ticker
     * @param until when to retire it
     */
    void rest(long now, long until) {
        socketTransport.lock();
        try {
            idleSince = now;
            retireAt = until;
            idle = true;
            if (!socketTransport.isClosed() && (isSpent() || layer.rest() != Liveness.QUIET || socketTransport.isTalking(layer))) {
                socketTransport.close();
            }
            socketTransport.giveInboxBack();
        } finally {
            socketTransport.unlock();
        }
    }

    /** Whether nothing can come on it any more, or so much came that the loop does not listen, or its exchange did not end. */
    boolean isSpent() {
        return socketTransport.isSpent() || cutAt.get() != NO_CUT;
    }

    /** Whether more came than its lessee has room for, and the loop does not listen until something is read. */
    boolean isPaused() {
        return socketTransport.isPaused();
    }

    /** Closes it; by who has leased it. */
    void discard() {
        socketTransport.lock();
        try {
            socketTransport.close();
            socketTransport.giveInboxBack();
        } finally {
            socketTransport.unlock();
        }
    }

    /** Looks at it where it lies; anything but quiet closes it, and null is one that is not idle. */
    @Nullable
    Liveness lookWhileIdle() {
        socketTransport.lock();
        try {
            return isIdle() ? socketTransport.look(layer) : null;
        } finally {
            socketTransport.unlock();
        }
    }

    /** Closes it if it is idle; false when it is not. */
    boolean retire() {
        socketTransport.lock();
        try {
            boolean was = isIdle();
            if (was) {
                socketTransport.close();
            }
            return was;
        } finally {
            socketTransport.unlock();
        }
    }

    /** Closes it, whoever has it. */
    void close() {
        socketTransport.close();
    }

    /** Closes it, whoever has it, and gives its user the reason. */
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
     * Something happened on the channel; told by the loop.
     *
     * @return whether it was idle, and was closed for what it showed
     */
    boolean ready(SelectionKey which) {
        socketTransport.lock();
        try {
            if (!idle && !socketTransport.isClosed()) {
                socketTransport.ready(which);
            }
            return isIdle() && socketTransport.look(layer) != Liveness.QUIET;
        } finally {
            socketTransport.unlock();
        }
    }

    /** Waits for the first byte of an answer, or the end of the stream. */
    public void awaitAnswer() throws IOException {
        if (layer.await()) {
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
        public int read(byte[] into, int from, int most) throws IOException {
            return most == 0 ? 0 : layer.read(into, from, most);
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
