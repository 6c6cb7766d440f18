package dev.penstock.observe.page;

import dev.penstock.Ticker;
import dev.penstock.observe.WatchedProcess;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
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

    private synchronized void publish(String flows) {
        latest = new Frame(latest == null ? 1 : latest.number() + 1, flows);
        notifyAll();
    }

    /**
     * Waits for a newer snapshot.
     *
     * @param seen the number of the last snapshot seen; 0 for none
     * @return null when closed
     */
    @Nullable
    synchronized Frame after(long seen) throws InterruptedException {
        while (!closed && (latest == null || latest.number() <= seen)) {
            wait(TimeUnit.SECONDS.toMillis(1));
        }
        return closed ? null : latest;
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
        synchronized (this) {
            notifyAll();
        }
    }
}
