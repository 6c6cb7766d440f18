package dev.penstock.observe.page;

import dev.penstock.Ticker;
import dev.penstock.observe.WatchedProcess;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes a snapshot of all flows every second, records events, and keeps the last snapshot for the event streams. One
 * virtual thread, which runs without clients too, so that no event is missed.
 *
 * <p>Thread-safe.
 */
final class Recorder implements AutoCloseable {
    private static final long SECOND = 1_000_000_000L;

    /**
     * One snapshot as JSON.
     *
     * @param number the sequence number, from 1
     * @param flows the snapshot of the flows
     */
    record Frame(long number, String flows) {}

    private final WatchedProcess process;
    private final Ticker ticker;
    private final EventLog events;
    private final ProcessWatch watching;
    private final History history;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Part part = Supervisor.current().part("admin-recorder", "all flows");
    private final Part keeping = Supervisor.current().part("admin-history", "all flows");
    private volatile @Nullable Thread thread;
    private volatile @Nullable Thread keeper;
    private volatile List<String> unreachable = List.of();
    private @Nullable Frame latest;
    private volatile boolean closed;

    Recorder(WatchedProcess process, Ticker ticker, InstantSource wallClock) {
        this.process = process;
        this.ticker = ticker;
        this.events = new EventLog(wallClock);
        this.history = new History(process.historyFile(), wallClock, ticker);
        this.watching = new ProcessWatch(events, history, wallClock);
    }

    void start() {
        // A disk that hangs must not stop the page.
        keeper = keeping.start(Thread.ofPlatform().daemon().name("penstock-admin-history"), history::keep);
        thread = part.start(Thread.ofVirtual().name("penstock-admin-recorder"), this::run);
    }

    private void run() {
        long due = ticker.nanos();
        while (!closed) {
            // A snapshot may be slow, for instance on a slow disk: that is no pause.
            long wake = Math.max(due, ticker.nanos());
            ticker.parkUntil(due);
            long now = ticker.nanos();
            if (closed || now - due < 0) {
                continue;
            }
            if (now - wake > SECOND) {
                watching.paused(now - wake);
            }
            publish(watching.snapshot(process, now));
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
     * Waits for a newer snapshot.
     *
     * @param seen the number of the last snapshot seen; 0 for none
     * @return null when closed
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

    /** The targets and stores that were unreachable in the last snapshot, a line for each; empty without traffic. */
    List<String> unreachable() {
        return unreachable;
    }

    History history() {
        return history;
    }

    EventLog events() {
        return events;
    }

    @Override
    public void close() {
        closed = true;
        part.close();
        keeping.close();
        Stream.of(thread, keeper).filter(Objects::nonNull).forEach(Thread::interrupt);
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
