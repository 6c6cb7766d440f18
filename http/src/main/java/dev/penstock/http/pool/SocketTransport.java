package dev.penstock.http.pool;

import dev.penstock.http.pool.TransportLayer.Liveness;
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
 * The socket of one connection. The lessee reads and writes, blocking, on one thread at a time; the {@link EventLoop} reads the
 * bytes from the network. The lock guards every change of the {@link Connection.State}.
 *
 * <h2>Design note</h2>
 *
 * <p>The channel is non-blocking and stays registered with the loop for its whole life. A blocking read on a virtual thread
 * would try to read, register with the JDK's poller, be woken and read again; here the data is already read when the thread is
 * woken. That saves two of six system calls per exchange, and a close by the peer is detected in every state without moving the
 * channel between selectors.
 */
final class SocketTransport {
    /** Maximum write size: the JDK copies the whole buffer of a write into direct memory, which it caches. */
    private static final int MAX_WRITE = 64 << 10;

    private final SocketChannel channel;
    private final BufferPool<SocketInput.Buffer> buffers;
    private final SocketInput input;
    private final ReentrantLock lock = new ReentrantLock();

    private volatile Connection.State state = Connection.State.LEASED;
    private @Nullable SelectionKey key;
    private @Nullable Thread waitingThread;
    private boolean writable;
    private boolean sent;

    SocketTransport(SocketChannel channel, BufferPool<SocketInput.Buffer> buffers) {
        this.channel = channel;
        this.buffers = buffers;
        this.input = new SocketInput(buffers);
    }

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    /** Registers the channel with the selector of a loop. */
    void register(Selector selector, Connection connection) throws ClosedChannelException {
        SelectionKey registration = channel.register(selector, SelectionKey.OP_READ, connection);
        lock.lock();
        try {
            key = registration;
        } finally {
            lock.unlock();
        }
        selector.wakeup();
    }

    Connection.State state() {
        return state;
    }

    boolean isClosed() {
        return state == Connection.State.CLOSED;
    }

    /** Changes between leased and idle; called with the lock, and not when it is closed. */
    void become(Connection.State next) {
        state = next;
    }

    SocketInput input() {
        return input;
    }

    /** Whether the socket accepted any byte since {@link #resetSent}. */
    boolean hasSent() {
        return sent;
    }

    /** Resets {@link #hasSent} at the beginning of a lease. */
    void resetSent() {
        sent = false;
    }

    /** Closes it; a current or later read or write throws the reason. */
    void fail(IOException why) {
        lock.lock();
        try {
            input.fail(why);
            close();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            state = Connection.State.CLOSED;
            channel.close();
        } catch (IOException e) {
            // Nothing left to close.
        } finally {
            if (key != null) {
                // The operating system closes the socket only after the selector has deregistered it.
                key.selector().wakeup();
            }
            wakeWaiter();
            lock.unlock();
        }
    }

    private void wakeWaiter() {
        Thread thread = waitingThread;
        if (thread != null) {
            waitingThread = null;
            LockSupport.unpark(thread);
        }
    }

    // While idle; called with the lock

    /** Checks, without blocking, whether the connection is alive; closes it if not. */
    Liveness check(TransportLayer layer) {
        Liveness liveness;
        if (layer instanceof TransportLayer.Plain) {
            liveness = check(layer, ByteBuffer.allocate(1));
        } else {
            SocketInput.Buffer buffer = buffers.take();
            liveness = check(layer, buffer.space());
            buffer.clear();
            buffers.give(buffer);
        }
        if (liveness != Liveness.ALIVE) {
            close();
        }
        return liveness;
    }

    private Liveness check(TransportLayer layer, ByteBuffer space) {
        try {
            int count = channel.read(space);
            return count == 0 ? Liveness.ALIVE : count < 0 ? Liveness.CLOSED : layer.receivedWhileIdle(space.flip());
        } catch (IOException e) {
            return Liveness.CLOSED;
        }
    }

    /** Whether there are unread bytes that make the connection unusable. TLS control records, such as tickets, do not. */
    boolean hasUnexpectedData(TransportLayer layer) {
        if (input.isEmpty()) {
            return false;
        }
        ByteBuffer bytes = ByteBuffer.allocate(SocketInput.Buffer.SIZE);
        int _ = input.take(bytes);
        return layer.receivedWhileIdle(bytes.flip()) != Liveness.ALIVE;
    }

    // Called by the loop, with the lock

    /** Handles an event of the channel while the connection is leased. */
    void ready(SelectionKey which) {
        if (which.isWritable()) {
            which.interestOpsAnd(~SelectionKey.OP_WRITE);
            writable = true;
        }
        if (which.isReadable()) {
            input.read(channel, which);
        }
        wakeWaiter();
    }

    // Called by the lessee, without the lock

    /** Waits for bytes; returns false at the end of the stream. */
    boolean awaitBytes() throws IOException {
        lock.lock();
        try {
            return awaitInput();
        } finally {
            lock.unlock();
        }
    }

    int receive(byte[] into, int from, int max) throws IOException {
        lock.lock();
        try {
            return awaitInput() ? afterRead(input.take(into, from, max)) : -1;
        } finally {
            lock.unlock();
        }
    }

    int receive(ByteBuffer into) throws IOException {
        lock.lock();
        try {
            return awaitInput() ? afterRead(input.take(into)) : -1;
        } finally {
            lock.unlock();
        }
    }

    private int afterRead(int count) {
        if (input.resume()) {
            addInterest(SelectionKey.OP_READ);
        }
        return count;
    }

    /** Waits until there are unread bytes; returns false at the end of the stream. */
    private boolean awaitInput() throws IOException {
        while (input.isEmpty()) {
            if (input.isEnded()) {
                return false;
            }
            awaitEvent();
        }
        return true;
    }

    void send(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (writeSome(bytes) == 0) {
                awaitWritable();
            }
        }
    }

    /** Writes as many bytes as the socket accepts, and returns how many. */
    private int writeSome(ByteBuffer bytes) throws IOException {
        int end = bytes.limit();
        bytes.limit(Math.min(end, bytes.position() + MAX_WRITE));
        try {
            int count = channel.write(bytes);
            sent |= count > 0;
            return count;
        } finally {
            bytes.limit(end);
        }
    }

    private void awaitWritable() throws IOException {
        lock.lock();
        try {
            writable = false;
            addInterest(SelectionKey.OP_WRITE);
            while (!writable) {
                awaitEvent();
            }
        } finally {
            lock.unlock();
        }
    }

    private void addInterest(int operation) {
        SelectionKey registration = Objects.requireNonNull(key);
        try {
            registration.interestOpsOr(operation);
            registration.selector().wakeup();
        } catch (CancelledKeyException e) {
            // Closed meanwhile; the next wait throws.
        }
    }

    /** Waits for the loop to handle an event, or for a close. Holds the lock before and after. */
    private void awaitEvent() throws IOException {
        IOException failure = input.failure();
        if (failure != null) {
            throw failure;
        }
        if (isClosed()) {
            throw new AsynchronousCloseException();
        }
        waitingThread = Thread.currentThread();
        lock.unlock();
        try {
            LockSupport.park(this);
        } finally {
            lock.lock();
            waitingThread = null;
        }
        if (Thread.currentThread().isInterrupted()) {
            close();
            throw new ClosedByInterruptException();
        }
    }
}
