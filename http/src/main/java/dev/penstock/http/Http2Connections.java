package dev.penstock.http;

import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one target. A call gets a place on the first that has one; where none has, another connection is
 * opened, so that a peer that allows 100 streams on each does not bound the calls. Safe for many threads.
 */
final class Http2Connections implements Http2Connection.Keeper {
    private final TargetLimits limits;
    private final int most;
    private final Http2Faults faults;
    private final Http2Connector connector;
    private final Part part;
    private final CountDownLatch over = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    // All below under the lock. No method that takes a lock of the library may be called under it: the library calls
    // in while it holds one.
    private final Condition changed = lock.newCondition();
    private final Http2ConnectionSet shelf;
    private int waiting;
    private int opening;
    private int usual = Integer.MAX_VALUE;
    private long failures;
    private Exception failure = new ConnectionClosedException();
    private boolean closed;

    /**
     * No connections yet.
     *
     * @param most how many there may be
     */
    Http2Connections(TargetLimits limits, int most, Http2Faults faults, Http2Connector connector) {
        this.limits = limits;
        this.most = most;
        this.shelf = new Http2ConnectionSet(limits);
        this.faults = faults;
        this.connector = connector;
        this.part = Supervisor.current().part("http2-idle-connections", connector.where());
        Thread _ = part.start(Thread.ofVirtual().name("penstock-h2-idle"), this::closeIdle);
    }

    /**
     * A connection with a place on it for one call.
     *
     * @param nanos bounds the wait, beside pool.wait where all places are taken and pool.connect_timeout where one is opened
     * @param avoided used again only where no other can be opened; null for none
     */
    Http2Connection lease(long nanos, @Nullable Http2Connection avoided)
            throws Rejected, Failed, Http2Connector.NotOffered {
        if (Thread.currentThread().isInterrupted()) {
            throw faults.interruptedBefore();
        }
        long from = System.nanoTime();
        SSLContext context = connector.context();
        lock.lock();
        waiting++;
        try {
            long seen = failures;
            while (true) {
                if (closed) {
                    throw faults.closed();
                }
                Http2Connection free = shelf.free(context, System.nanoTime(), avoided);
                if (free == null && avoided != null && shelf.size() + opening >= most) {
                    free = shelf.free(context, System.nanoTime(), null);
                }
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
            List<Http2Connection> needless = shelf.toClose();
            lock.unlock();
            needless.forEach(Http2Connection::close);
        }
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
            throw faults.allTaken(waited, shelf.size(), waiting - 1);
        }
        return allowed - waited;
    }

    /** Opens as many connections as those who wait will fill; one, as long as it is not known how many that takes. */
    private void openMore() {
        long wanted = (waiting + (long) usual - 1) / usual;
        while (opening < wanted && shelf.size() + opening < most) {
            Thread.ofVirtual().name("penstock-h2-open").start(this::openOne);
            opening++; // after it, as the thread may not start; it takes the lock before it counts down
        }
    }

    private void openOne() {
        Http2Connection found = null;
        Exception why = new ConnectionClosedException();
        try {
            found = connector.open(Durations.nanos(limits.connectTimeout()), this);
        } catch (Http2Connector.NotOffered | IOException | TimeoutException | RuntimeException e) {
            why = e;
        } catch (Error e) {
            // Those who wait have to be told, or no connection is opened any more.
            part.failedOnce("the calls that wait for it fail; the next one opens another", e);
            why = new IOException("opening it failed: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lock.lock();
        try {
            opening--;
            if (found != null && !closed && shelf.put(found, System.nanoTime())) {
                usual = found.allowed();
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
            return closing(connection);
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
            return closing(connection);
        });
    }

    @Override
    public void released(Http2Stream stream) {
        under(() -> {
            Http2Connection connection = stream.connection();
            connection.places.free(stream, System.nanoTime());
            return closing(connection);
        });
    }

    @Override
    public void changed(Http2Connection connection) {
        under(() -> null);
    }

    @Override
    public void endedAfter(int processed) {
        under(() -> {
            shelf.endedAfter(processed);
            return null;
        });
    }

    @Override
    public void ended(Http2Connection connection) {
        under(() -> {
            shelf.remove(connection);
            return null;
        });
    }

    /** How to close a connection that nobody needs, and takes no more calls; null when it is not one. */
    private static @Nullable Runnable closing(Http2Connection connection) {
        if (!connection.places.isDeserted()) {
            return null;
        }
        return connection.places.isEmpty() ? connection::close : connection::abort;
    }

    /** Changes something, and tells what is to be done when the lock is free again, if anything. */
    private void under(Supplier<@Nullable Runnable> change) {
        Runnable then;
        lock.lock();
        try {
            then = change.get();
            if (waiting > 0) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (then != null) {
            then.run();
        }
    }

    private void closeIdle() throws InterruptedException {
        while (!over.await(shelf.sweepMillis(), TimeUnit.MILLISECONDS)) {
            needless().forEach(this::closeNeedless);
        }
    }

    private void closeNeedless(Http2Connection one) {
        try {
            if (one.isOpen()) {
                one.close();
            } else {
                // Told to close before, and waits for the peer since.
                one.abort();
            }
        } catch (RuntimeException | Error e) {
            part.failedOnce("the other idle connections are closed", e);
        }
    }

    private List<Http2Connection> needless() {
        lock.lock();
        try {
            return shelf.needless(System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    Http2ConnectionSet.Counts counts() {
        lock.lock();
        try {
            return shelf.counts();
        } finally {
            lock.unlock();
        }
    }

    /** How many calls wait for a place. */
    int waiting() {
        lock.lock();
        try {
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        List<Http2Connection> last;
        lock.lock();
        try {
            closed = true;
            last = shelf.all();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        over.countDown();
        part.close();
        last.forEach(Http2Connection::abort);
        connector.close();
    }
}
