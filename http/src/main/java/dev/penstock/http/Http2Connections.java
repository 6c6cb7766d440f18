package dev.penstock.http;

import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one target. A call gets a place on the first that has one; where none has, another connection is
 * opened, so that a peer that allows 100 streams on each does not bound the calls. Safe for many threads.
 */
final class Http2Connections implements Http2Connection.Keeper {
    private final TargetLimits limits;
    private final Http2Faults faults;
    private final Http2Connector connector;
    private final CountDownLatch over = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    // All below under the lock. No method that takes a lock of the library may be called under it: the library calls
    // in while it holds one.
    private final Condition changed = lock.newCondition();
    private final List<Http2Connection> open = new ArrayList<>();
    private int waiting;
    private int opening;
    private int usual = Integer.MAX_VALUE;
    private long opened;
    private long failures;
    private Exception failure = new ConnectionClosedException();
    private boolean closed;

    Http2Connections(TargetLimits limits, Http2Faults faults, Http2Connector connector) {
        this.limits = limits;
        this.faults = faults;
        this.connector = connector;
        Thread.ofVirtual().name("penstock-h2-idle").start(this::closeIdle);
    }

    /**
     * A connection with a place on it for one call.
     *
     * @param nanos bounds the wait, beside pool.wait where all places are taken and pool.connect_timeout where one is opened
     */
    Http2Connection lease(long nanos) throws Rejected, Failed, Http2Connector.NotOffered {
        if (Thread.currentThread().isInterrupted()) {
            throw faults.interruptedBefore();
        }
        long from = System.nanoTime();
        lock.lock();
        waiting++;
        try {
            long seen = failures;
            while (true) {
                if (closed) {
                    throw faults.closed();
                }
                Http2Connection free = free();
                if (free != null) {
                    free.places.take();
                    return free;
                }
                if (failures != seen) {
                    throw faults.noConnection(failure);
                }
                openMore();
                long _ = changed.awaitNanos(patience(from, nanos));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.interruptedBefore();
        } finally {
            waiting--;
            lock.unlock();
        }
    }

    private @Nullable Http2Connection free() {
        for (Http2Connection one : open) {
            if (one.isOpen() && !one.places.isRetired() && one.places.taken() < one.allowed()) {
                return one;
            }
        }
        return null;
    }

    /** How long to wait on, with more than 0 ns left. */
    private long patience(long from, long nanos) throws Rejected, Failed {
        long wait = Durations.nanos(limits.poolWait());
        long connect = Durations.nanos(limits.connectTimeout());
        // What is being opened ends in time by itself; who came when it had begun gets the next one's time as well.
        long allowed = Math.min(nanos, opening > 0 ? wait + connect : wait);
        long waited = System.nanoTime() - from;
        if (waited >= allowed) {
            if (opening > 0) {
                throw faults.connectTimeout(allowed);
            }
            throw faults.allTaken(waited, open.size(), waiting - 1);
        }
        return allowed - waited;
    }

    /** Opens as many connections as those who wait will fill; one, as long as it is not known how many that takes. */
    private void openMore() {
        long wanted = (waiting + (long) usual - 1) / usual;
        while (opening < wanted && open.size() + opening < limits.poolMax()) {
            opening++;
            Thread.ofVirtual().name("penstock-h2-open").start(this::openOne);
        }
    }

    private void openOne() {
        Http2Connection found = null;
        Exception why = new ConnectionClosedException();
        try {
            found = connector.open(Durations.nanos(limits.connectTimeout()), this);
        } catch (Http2Connector.NotOffered | IOException | TimeoutException | RuntimeException e) {
            why = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lock.lock();
        try {
            opening--;
            if (found != null) {
                opened++;
            }
            if (found != null && found.isOpen() && !closed) {
                found.places.opened(System.nanoTime());
                usual = found.allowed();
                open.add(found);
                found = null;
            } else {
                failures++;
                failure = why;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (found != null) {
            found.abort();
        }
    }

    /** Gives a place back that no stream was made for. */
    void giveBack(Http2Connection connection) {
        under(() -> {
            connection.places.free(System.nanoTime());
            return deserted(connection);
        });
    }

    /** The caller of a stream waits no more, and the library has not been told why. */
    void giveUp(Http2Stream stream) {
        under(() -> {
            Http2Connection connection = stream.connection();
            if (stream.isReleased()) {
                return null;
            }
            connection.places.giveUp(stream);
            return deserted(connection);
        });
    }

    @Override
    public void released(Http2Stream stream) {
        under(() -> {
            Http2Connection connection = stream.connection();
            connection.places.free(stream, System.nanoTime());
            return deserted(connection);
        });
    }

    @Override
    public void changed(Http2Connection connection) {
        under(() -> null);
    }

    @Override
    public void ended(Http2Connection connection) {
        under(() -> {
            open.remove(connection);
            return null;
        });
    }

    private static @Nullable Http2Connection deserted(Http2Connection connection) {
        return connection.places.isDeserted() ? connection : null;
    }

    private interface Change {
        /** Changes something, and tells which connection is to be closed after it, if any. */
        @Nullable
        Http2Connection make();
    }

    private void under(Change change) {
        Http2Connection deserted;
        lock.lock();
        try {
            deserted = change.make();
            if (waiting > 0) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (deserted != null) {
            deserted.abort();
        }
    }

    private void closeIdle() {
        long sweep = Math.clamp(limits.idle().toMillis() / 2, 100, 5_000);
        try {
            while (!over.await(sweep, TimeUnit.MILLISECONDS)) {
                long now = System.nanoTime();
                long idle = Durations.nanos(limits.idle());
                for (Http2Connection one : retire(one -> one.places.isIdle(now, idle))) {
                    if (one.isOpen()) {
                        one.close();
                    } else {
                        // Told to close before, and waits for the peer since.
                        one.abort();
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Http2Connection> retire(Predicate<Http2Connection> which) {
        lock.lock();
        try {
            List<Http2Connection> all = open.stream().filter(which).toList();
            all.forEach(one -> one.places.retire());
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** How it stands now, but for {@code opened}, which is since the start. */
    record Counts(long leased, long idle, long waiting, long opened) {}

    Counts counts() {
        lock.lock();
        try {
            long idle = open.stream().filter(one -> one.places.isEmpty()).count();
            return new Counts(open.size() - idle, idle, waiting, opened);
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        over.countDown();
        retire(_ -> true).forEach(Http2Connection::abort);
        connector.close();
    }
}
