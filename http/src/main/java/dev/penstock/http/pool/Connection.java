package dev.penstock.http.pool;

import dev.penstock.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a pool. Who has leased it reads and writes it, blocking, on one thread at a time; an interrupt of that
 * thread ends the connection.
 *
 * <h2>Design note</h2>
 *
 * <p>Its channel never blocks, and stays with the {@link EventLoop} for life. What comes is read by the loop, into the inbox
 * of who has leased it, or, when nobody has, as a sign that the peer is through with it. A blocking read of a virtual thread
 * would ask in vain, register with the JDK's poller, be told and ask again; here the answer is there when its thread is
 * woken. That spares two system calls of six in an exchange, and the peer's close is seen in every state without handing
 * the channel from one watcher to another.
 */
public final class Connection {
    private enum State {
        /** Somebody's. */
        LEASED,
        /** In the pool. */
        IDLE,
        /** No more. */
        CLOSED
    }

    private static final long NO_CUT = Long.MAX_VALUE;
    private static final long CUT = Long.MAX_VALUE - 1;

    /** The JDK copies all that it is shown into memory outside the heap, each time anew, and keeps that memory. */
    private static final int MOST_AT_ONCE = 64 << 10;

    private final SocketChannel channel;
    private final Spares<Inbox> inboxes;
    private final Ticker ticker;
    private final long openedAt;
    private final AtomicLong cutAt = new AtomicLong(NO_CUT);
    private final InputStream in = new In();
    private final OutputStream out = new Out();
    private Layer layer = new PlainLayer(this);
    private long takenAt;
    private long securedAt;
    private long firstByteAt;
    private boolean wrote;
    private boolean reused;

    /** Guards what follows. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Read without the lock where a moment's delay does no harm. */
    private volatile State state = State.LEASED;

    /** What came for who has leased it; none when all of it was read. */
    private @Nullable Inbox inbox;

    private @Nullable SelectionKey key;
    private @Nullable Thread waiter;
    private volatile @Nullable IOException failure;
    private volatile boolean ended;
    private boolean writable;
    private volatile boolean paused;
    private volatile long idleSince;
    private volatile long retireAt = Long.MAX_VALUE;

    /** A connection that is leased by the caller. */
    Connection(SocketChannel channel, Spares<Inbox> inboxes, Ticker ticker) {
        this.channel = channel;
        this.inboxes = inboxes;
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
    void secured(Layer tls) {
        layer = tls;
        securedAt = ticker.nanos();
        wrote = false;
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
        return wrote;
    }

    void watchedBy(SelectionKey registration) {
        lock.lock();
        try {
            key = registration;
        } finally {
            lock.unlock();
        }
    }

    SocketChannel channel() {
        return channel;
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
    Look take(long now) {
        lock.lock();
        try {
            if (state != State.IDLE) {
                return null;
            }
            Look look = look();
            if (look == Look.QUIET) {
                state = State.LEASED;
                reused = true;
                takenAt = now;
                wrote = false;
                firstByteAt = 0;
            }
            return look;
        } finally {
            lock.unlock();
        }
    }

    /** Takes it out of the pool without a look; false for one that was closed or taken before. */
    boolean takeUnseen(long now) {
        lock.lock();
        try {
            if (state != State.IDLE) {
                return false;
            }
            state = State.LEASED;
            reused = true;
            takenAt = now;
            wrote = false;
            firstByteAt = 0;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes it idle, or closes it when it cannot be: what came and was not read is no answer to anything.
     *
     * @param now since when, by the ticker
     * @param until when to retire it
     */
    void rest(long now, long until) {
        lock.lock();
        try {
            idleSince = now;
            retireAt = until;
            if (state == State.LEASED) {
                state = State.IDLE;
                if (isSpent() || layer.rest() != Look.QUIET || isTalking()) {
                    closeNow();
                }
            }
            giveInboxBack();
        } finally {
            lock.unlock();
        }
    }

    /** Whether nothing can come on it any more, or so much came that the loop does not listen, or its exchange did not end. */
    boolean isSpent() {
        return ended || failure != null || paused || cutAt.get() != NO_CUT;
    }

    /** Whether more came than its lessee has room for, and the loop does not listen until something is read. */
    boolean isPaused() {
        return paused;
    }

    private boolean isTalking() {
        Inbox left = inbox;
        if (left == null || left.isEmpty()) {
            return false;
        }
        ByteBuffer bytes = ByteBuffer.allocate(Inbox.SIZE);
        left.take(bytes);
        return layer.cameIdle(bytes.flip()) != Look.QUIET;
    }

    /** Closes it; by who has leased it. */
    void discard() {
        lock.lock();
        try {
            closeNow();
            giveInboxBack();
        } finally {
            lock.unlock();
        }
    }

    private void giveInboxBack() {
        if (inbox != null) {
            inbox.clear();
            inboxes.give(inbox);
            inbox = null;
        }
    }

    /** Looks at it where it lies; anything but quiet closes it, and null is one that is not idle. */
    @Nullable
    Look lookWhileIdle() {
        lock.lock();
        try {
            return state == State.IDLE ? look() : null;
        } finally {
            lock.unlock();
        }
    }

    /** Closes it if it is idle; false when it is not. */
    boolean retire() {
        lock.lock();
        try {
            if (state != State.IDLE) {
                return false;
            }
            closeNow();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Closes it, whoever has it. */
    void close() {
        lock.lock();
        try {
            closeNow();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    boolean isIdle() {
        return state == State.IDLE;
    }

    private Look look() {
        Look look;
        if (layer instanceof PlainLayer) {
            look = look(ByteBuffer.allocate(1));
        } else {
            Inbox lent = inboxes.take();
            look = look(lent.room());
            lent.clear();
            inboxes.give(lent);
        }
        if (look != Look.QUIET) {
            closeNow();
        }
        return look;
    }

    private Look look(ByteBuffer room) {
        try {
            int came = channel.read(room);
            return came == 0 ? Look.QUIET : came < 0 ? Look.ENDED : layer.cameIdle(room.flip());
        } catch (IOException e) {
            return Look.ENDED;
        }
    }

    private void closeNow() {
        state = State.CLOSED;
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing is left to close.
        }
        if (key != null) {
            // The system closes it no sooner than the selector lets go of it.
            key.selector().wakeup();
        }
        wake();
    }

    private void wake() {
        Thread thread = waiter;
        if (thread != null) {
            waiter = null;
            LockSupport.unpark(thread);
        }
    }

    // What the loop does

    /**
     * Something happened on the channel.
     *
     * @return whether it was idle, and was closed for what it showed
     */
    boolean ready(SelectionKey which) {
        lock.lock();
        try {
            if (state == State.LEASED) {
                readyLeased(which);
            }
            return state == State.IDLE && look() != Look.QUIET;
        } finally {
            lock.unlock();
        }
    }

    private void readyLeased(SelectionKey which) {
        if (which.isWritable()) {
            which.interestOpsAnd(~SelectionKey.OP_WRITE);
            writable = true;
        }
        if (which.isReadable()) {
            Inbox into = inbox == null ? inboxes.take() : inbox;
            inbox = into;
            fill(which, into);
        }
        wake();
    }

    private void fill(SelectionKey which, Inbox into) {
        try {
            if (!into.isFull()) {
                int came = channel.read(into.room());
                if (came < 0) {
                    ended = true;
                } else {
                    into.came(came);
                }
            }
        } catch (IOException e) {
            failure = e;
        }
        if (ended || failure != null || into.isFull()) {
            // There is nothing more to be told of now, and it would be told again and again.
            which.interestOpsAnd(~SelectionKey.OP_READ);
            paused = into.isFull();
        }
    }

    // What its lessee does

    /** Waits for the first byte of an answer, or the end of the stream. */
    public void awaitAnswer() throws IOException {
        if (layer.await()) {
            firstByteAt = ticker.nanos();
        }
    }

    /** Waits for bytes; false at the end of the stream. */
    boolean awaitBytes() throws IOException {
        lock.lock();
        try {
            return arrived() != null;
        } finally {
            lock.unlock();
        }
    }

    int receive(byte[] into, int from, int most) throws IOException {
        lock.lock();
        try {
            Inbox came = arrived();
            return came == null ? -1 : read(came, came.take(into, from, most));
        } finally {
            lock.unlock();
        }
    }

    int receive(ByteBuffer into) throws IOException {
        lock.lock();
        try {
            Inbox came = arrived();
            return came == null ? -1 : read(came, came.take(into));
        } finally {
            lock.unlock();
        }
    }

    private int read(Inbox came, int count) {
        if (came.isEmpty()) {
            giveInboxBack();
        }
        if (paused) {
            paused = false;
            listenFor(SelectionKey.OP_READ);
        }
        return count;
    }

    /** Waits for something to come; null at the end of the stream. */
    private @Nullable Inbox arrived() throws IOException {
        while (inbox == null || inbox.isEmpty()) {
            if (ended) {
                return null;
            }
            await();
        }
        return inbox;
    }

    void send(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (offer(bytes) == 0) {
                awaitRoom();
            }
        }
    }

    /** Gives the system as much as it takes of the next bytes, and tells how much that was. */
    private int offer(ByteBuffer bytes) throws IOException {
        int end = bytes.limit();
        bytes.limit(Math.min(end, bytes.position() + MOST_AT_ONCE));
        try {
            int taken = channel.write(bytes);
            wrote |= taken > 0;
            return taken;
        } finally {
            bytes.limit(end);
        }
    }

    private void awaitRoom() throws IOException {
        lock.lock();
        try {
            writable = false;
            listenFor(SelectionKey.OP_WRITE);
            while (!writable) {
                await();
            }
        } finally {
            lock.unlock();
        }
    }

    private void listenFor(int operation) {
        SelectionKey registration = Objects.requireNonNull(key);
        try {
            registration.interestOpsOr(operation);
            registration.selector().wakeup();
        } catch (CancelledKeyException e) {
            // It was closed meanwhile; who waits next is told.
        }
    }

    /** Waits for the loop to do something. Holds the lock before and after. */
    private void await() throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (state == State.CLOSED) {
            throw new AsynchronousCloseException();
        }
        waiter = Thread.currentThread();
        lock.unlock();
        try {
            LockSupport.park(this);
        } finally {
            lock.lock();
            waiter = null;
        }
        if (Thread.currentThread().isInterrupted()) {
            closeNow();
            throw new ClosedByInterruptException();
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
