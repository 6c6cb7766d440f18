package dev.penstock.gateway.admin;

import dev.penstock.Ticker;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the flows once a second, takes down what happened, and keeps the last look for those who watch. One virtual thread;
 * it looks whether anybody watches or not, for events would be missed otherwise.
 *
 * <p>Safe for many threads.
 */
final class Recorder implements AutoCloseable {
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
    private final GatewayWatch watching;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Part part = Supervisor.current().part("admin-recorder", "all flows");
    private volatile @Nullable Thread thread;
    private volatile List<String> unreachable = List.of();
    private @Nullable Frame latest;
    private volatile boolean closed;

    Recorder(WatchedGateway gateway, Ticker ticker, InstantSource wallClock) {
        this.gateway = gateway;
        this.ticker = ticker;
        this.events = new EventLog(wallClock);
        this.watching = new GatewayWatch(events, wallClock);
    }

    void start() {
        thread = part.start(Thread.ofVirtual().name("penstock-admin-recorder"), this::run);
    }

    private void run() {
        long due = ticker.nanos();
        while (!closed) {
            ticker.parkUntil(due);
            long now = ticker.nanos();
            if (closed || now - due < 0) {
                continue;
            }
            publish(watching.look(gateway, now));
            unreachable = watching.unreachable();
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

    /** What could not be reached at the last look, a line for each target and store; empty when all can, or when nothing is known. */
    List<String> unreachable() {
        return unreachable;
    }

    EventLog events() {
        return events;
    }

    @Override
    public void close() {
        closed = true;
        part.close();
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
