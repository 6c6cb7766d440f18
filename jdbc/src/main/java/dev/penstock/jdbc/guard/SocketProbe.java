package dev.penstock.jdbc.guard;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Looks at a socket that nobody reads from, without waiting and without taking a byte: some ten microseconds.
 *
 * <p>A socket that is readable while nobody asked anything was closed or reset by the other end, or holds a word that it
 * said unasked: a server that shuts down says so first.
 *
 * <p>Safe for many threads, one after another.
 */
final class SocketProbe implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Selector selector;

    SocketProbe() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new IllegalStateException("cannot look at sockets: the process may have no file descriptor left", e);
        }
    }

    /** Whether nothing has come, and the socket is open. */
    boolean isQuiet(SocketChannel channel) {
        lock.lock();
        try {
            channel.configureBlocking(false);
            try {
                SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
                boolean quiet = selector.selectNow() == 0;
                key.cancel();
                selector.selectNow();
                return quiet;
            } finally {
                channel.configureBlocking(true);
            }
        } catch (IOException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            // Nothing is lost with it.
        }
    }
}
