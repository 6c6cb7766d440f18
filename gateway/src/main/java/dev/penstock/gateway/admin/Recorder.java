package dev.penstock.gateway.admin;

import dev.penstock.Ticker;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the flows once a second, takes down what happened, and keeps the last look for those who watch. One virtual thread;
 * it looks whether anybody watches or not, for events would be missed otherwise.
 *
 * <p>Safe for many threads.
 */
final class Recorder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);
    private static final long SECOND = 1_000_000_000L;

    /**
     * One look, as JSON.
     *
     * @param number counts looks, from 1
     * @param flows what the page shows of them
     */
    record Frame(long number, String flows) {}

    private final WatchedGateway gateway;
    private final Ticker ticker;
    private final EventLog events;
    private final Watching watching;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread thread;
    private @Nullable Frame latest;
    private volatile boolean closed;

    Recorder(WatchedGateway gateway, Ticker ticker, InstantSource wallClock) {
        this.gateway = gateway;
        this.ticker = ticker;
        this.events = new EventLog(wallClock);
        this.watching = new Watching(events, wallClock);
        this.thread = Thread.ofVirtual().name("penstock-admin-recorder").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        long due = ticker.nanos();
        while (!closed) {
            ticker.parkUntil(due);
            long now = ticker.nanos();
            if (closed || now - due < 0) {
                continue;
            }
            try {
                publish(watching.look(gateway, now));
            } catch (RuntimeException broken) {
                // What is shown must not end what is carried, nor the looks after this one.
                LOG.warn("the flows could not be looked at: {}", broken.toString());
            }
            due = Math.max(due + SECOND, now);
        }
    }

    private void publish(String flows) {
        lock.lock();
        try {
            latest = new Frame(latest == null ? 1 : latest.number() + 1, flows);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a look that is newer than this one.
     *
     * @param seen the number of the last one seen; 0 for none
     * @return null when there will be no more
     */
    @Nullable
    Frame after(long seen) throws InterruptedException {
        lock.lock();
        try {
            while (!closed && (latest == null || latest.number() <= seen)) {
                changed.await(1, TimeUnit.SECONDS);
            }
            return closed ? null : latest;
        } finally {
            lock.unlock();
        }
    }

    EventLog events() {
        return events;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
