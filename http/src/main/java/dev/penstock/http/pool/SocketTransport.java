package dev.penstock.http.pool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one connection: one thread at a time reads and writes them, blocking, and the {@link EventLoop} brings what
 * comes. Its lock guards the {@link Connection} too, which says whose it is.
 *
 * <h2>Design note</h2>
 *
 * <p>The channel never blocks, and stays with the loop for life. A blocking read of a virtual thread would ask in vain,
 * register with the JDK's poller, be told and ask again; here the answer is there when its thread is woken. That spares two
 * system calls of six in an exchange, and the peer's close is seen in every state without handing the channel from one
 * watcher to another.
 */
final class SocketTransport {
    /** The JDK copies all that it is shown into memory outside the heap, each time anew, and keeps that memory. */
    private static final int MOST_AT_ONCE = 64 << 10;

    private final SocketChannel channel;
    private final BufferPool<ReadBuffer> inboxes;
    private final ReentrantLock lock = new ReentrantLock();

    /** What came and was not read; none when all of it was. */
    private @Nullable ReadBuffer readBuffer;

    private @Nullable SelectionKey key;
    private @Nullable Thread waiter;
    private volatile @Nullable IOException failure;
    private volatile boolean ended;
    private volatile boolean paused;
    private volatile boolean closed;
    private boolean writable;
    private boolean wrote;

    SocketTransport(SocketChannel channel, BufferPool<ReadBuffer> inboxes) {
        this.channel = channel;
        this.inboxes = inboxes;
    }

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    /** Lets a loop tell of what comes. */
    void register(Selector selector, Connection told) throws ClosedChannelException {
        SelectionKey registration = channel.register(selector, SelectionKey.OP_READ, told);
        lock.lock();
        try {
            key = registration;
        } finally {
            lock.unlock();
        }
        selector.wakeup();
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether nothing can come any more, or so much came that the loop does not listen. */
    boolean isSpent() {
        return ended || failure != null || paused;
    }

    /** Whether more came than there is room for, and the loop does not listen until something is read. */
    boolean isPaused() {
        return paused;
    }

    /** Whether the system took anything to send since {@link #begin}. */
    boolean hasSent() {
        return wrote;
    }

    /** Somebody begins to use it. */
    void begin() {
        wrote = false;
    }

    /** Closes it; who waits, or will, gets the reason. */
    void fail(IOException why) {
        lock.lock();
        try {
            failure = why;
            close();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            channel.close();
        } catch (IOException e) {
            // Nothing is left to close.
        } finally {
            if (key != null) {
                // The system closes it no sooner than the selector lets go of it.
                key.selector().wakeup();
            }
            wake();
            lock.unlock();
        }
    }

    private void wake() {
        Thread thread = waiter;
        if (thread != null) {
            waiter = null;
            LockSupport.unpark(thread);
        }
    }

    // While nobody uses it; with the lock

    /** Looks without waiting; anything but quiet closes it. */
    Liveness look(TransportLayer layer) {
        Liveness look;
        if (layer instanceof PlainTransport) {
            look = look(layer, ByteBuffer.allocate(1));
        } else {
            ReadBuffer lent = inboxes.take();
            look = look(layer, lent.room());
            lent.clear();
            inboxes.give(lent);
        }
        if (look != Liveness.QUIET) {
            close();
        }
        return look;
    }

    private Liveness look(TransportLayer layer, ByteBuffer room) {
        try {
            int came = channel.read(room);
            return came == 0 ? Liveness.QUIET : came < 0 ? Liveness.ENDED : layer.cameIdle(room.flip());
        } catch (IOException e) {
            return Liveness.ENDED;
        }
    }

    /** Whether something came that nobody has read, and that says more than nothing. */
    boolean isTalking(TransportLayer layer) {
        ReadBuffer left = readBuffer;
        if (left == null || left.isEmpty()) {
            return false;
        }
        ByteBuffer bytes = ByteBuffer.allocate(ReadBuffer.SIZE);
        left.take(bytes);
        return layer.cameIdle(bytes.flip()) != Liveness.QUIET;
    }

    void giveInboxBack() {
        if (readBuffer != null) {
            readBuffer.clear();
            inboxes.give(readBuffer);
            readBuffer = null;
        }
    }

    // What the loop does; with the lock

    /** Something happened on the channel while somebody uses it. */
    void ready(SelectionKey which) {
        if (which.isWritable()) {
            which.interestOpsAnd(~SelectionKey.OP_WRITE);
            writable = true;
        }
        if (which.isReadable()) {
            ReadBuffer into = readBuffer == null ? inboxes.take() : readBuffer;
            readBuffer = into;
            fill(which, into);
        }
        wake();
    }

    private void fill(SelectionKey which, ReadBuffer into) {
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

    // What its user does; without the lock

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
            ReadBuffer came = arrived();
            return came == null ? -1 : read(came, came.take(into, from, most));
        } finally {
            lock.unlock();
        }
    }

    int receive(ByteBuffer into) throws IOException {
        lock.lock();
        try {
            ReadBuffer came = arrived();
            return came == null ? -1 : read(came, came.take(into));
        } finally {
            lock.unlock();
        }
    }

    private int read(ReadBuffer came, int count) {
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
    private @Nullable ReadBuffer arrived() throws IOException {
        while (readBuffer == null || readBuffer.isEmpty()) {
            if (ended) {
                return null;
            }
            await();
        }
        return readBuffer;
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
        if (closed) {
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
            close();
            throw new ClosedByInterruptException();
        }
    }
}
