package dev.penstock.jms.source;

import jakarta.jms.JMSException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that receive over one connection, until it is lost or receiving ends. After a lost connection, threads whose
 * messages are still in process are not awaited; they end with their messages. Thread-safe.
 */
final class Workers {
    private static final long POLL_NANOS = 5_000_000;
    private static final long END_WAIT_NANOS = 500_000_000;

    private final MessageProcessor processor;
    private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
    private final AtomicInteger threads = new AtomicInteger();

    Workers(MessageProcessor processor) {
        this.processor = processor;
    }

    /** The work of one thread until it should stop. */
    @FunctionalInterface
    interface Work {
        void run() throws JMSException, InterruptedException;
    }

    void add(Work work) {
        threads.incrementAndGet();
        try {
            Thread.ofVirtual().name("penstock-jms-receive").start(() -> run(work));
        } catch (Throwable cannotStart) {
            threads.decrementAndGet();
            throw cannotStart;
        }
    }

    private void run(Work work) {
        try {
            work.run();
        } catch (Throwable failed) { // also an Error: watch() throws it on the supervised thread
            markLost(failed);
        } finally {
            threads.decrementAndGet();
        }
    }

    /** The connection is lost, or the client failed: all threads end. */
    void markLost(Throwable why) {
        broken.compareAndSet(null, why);
    }

    int size() {
        return threads.get();
    }

    boolean isRunning() {
        return broken.get() == null && !processor.isConnectionOver();
    }

    /** Waits for threads whose messages have ended, so that they can acknowledge; not for others. */
    void awaitEnd() {
        long end = processor.nanos() + END_WAIT_NANOS;
        while (threads.get() > 0 && processor.nanos() - end < 0) {
            LockSupport.parkNanos(this, POLL_NANOS);
        }
    }

    /**
     * Waits a little, and throws if receiving has failed.
     *
     * @throws JMSException when the connection is lost
     */
    void watch() throws JMSException {
        LockSupport.parkNanos(this, POLL_NANOS);
        switch (broken.get()) {
            case null -> {}
            case JMSException failed -> throw failed;
            case Throwable failed -> throw new IllegalStateException("receiving failed: " + failed, failed);
        }
    }
}
