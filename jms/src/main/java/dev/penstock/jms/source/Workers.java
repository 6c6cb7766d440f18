package dev.penstock.jms.source;

import jakarta.jms.JMSException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that receive over one connection, until it breaks or receiving is over. A thread whose messages are still in
 * process is not waited for when the connection broke: it ends with them. Safe for many threads.
 */
final class Workers {
    private static final long LOOK_NANOS = 5_000_000;
    private static final long LAST_WORDS_NANOS = 500_000_000;

    private final MessageProcessor messageProcessor;
    private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
    private final AtomicInteger members = new AtomicInteger();

    Workers(MessageProcessor messageProcessor) {
        this.messageProcessor = messageProcessor;
    }

    /** What one of them does until it should stop. */
    @FunctionalInterface
    interface Work {
        void run() throws JMSException, InterruptedException;
    }

    void add(Work work) {
        members.incrementAndGet();
        try {
            Thread.ofVirtual().name("penstock-jms-receive").start(() -> run(work));
        } catch (Throwable noThread) {
            members.decrementAndGet();
            throw noThread;
        }
    }

    private void run(Work work) {
        try {
            work.run();
        } catch (Throwable markLost) { // an Error too: watch() throws it to the thread that is supervised
            markLost(markLost);
        } finally {
            members.decrementAndGet();
        }
    }

    /** The connection broke, or the client failed: all of them end. */
    void markLost(Throwable why) {
        broken.compareAndSet(null, why);
    }

    int size() {
        return members.get();
    }

    boolean goesOn() {
        return broken.get() == null && !messageProcessor.isOver();
    }

    /** Lets those say their last words whose messages have ended; others are not waited for. */
    void disband() {
        long end = messageProcessor.nanos() + LAST_WORDS_NANOS;
        while (members.get() > 0 && messageProcessor.nanos() - end < 0) {
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }

    /**
     * Waits a little, and looks whether all is well.
     *
     * @throws JMSException the connection broke
     */
    void watch() throws JMSException {
        LockSupport.parkNanos(this, LOOK_NANOS);
        switch (broken.get()) {
            case null -> {}
            case JMSException markLost -> throw markLost;
            case Throwable markLost -> throw new IllegalStateException("receiving failed: " + markLost, markLost);
        }
    }
}
