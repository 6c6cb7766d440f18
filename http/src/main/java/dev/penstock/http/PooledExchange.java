package dev.penstock.http;

import dev.penstock.Deadline;
import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.client5.http.io.LeaseRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.PoolStats;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges over the connection pool of Apache HttpClient.
 *
 * <h2>Design note</h2>
 *
 * <p>Only the pool and the wire format of the library are used, not its client: that one retries, redirects, stores
 * cookies and authenticates, and hides at which point an exchange stood when it failed. Here the three steps stand in the
 * open, lease, connect, exchange, and what fails in each is {@link Rejected}, {@link Failed} and {@link Unknown}, in that
 * order. A request is written once, on one connection.
 */
final class PooledExchange implements Exchange {
    private final Address address;
    private final TargetLimits limits;
    private final HttpRoute route;
    private final HostLookup lookup;
    private final PoolingHttpClientConnectionManager pool;
    private final HttpRequestExecutor executor = new HttpRequestExecutor();
    private final WireFormat wire;
    private final Faults faults;
    private final ScheduledThreadPoolExecutor watch;
    private final Set<LeaseRequest> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong staleUsed = new AtomicLong();
    private volatile boolean closed;

    PooledExchange(Address address, TargetLimits limits) {
        this.address = address;
        this.limits = limits;
        this.lookup = new HostLookup(address.host());
        this.wire = new WireFormat(address, limits);
        this.faults = new Faults(address.hostAndPort(), limits);
        HttpHost host = new HttpHost(address.secure() ? "https" : "http", address.bareHost(), address.port());
        this.route = new HttpRoute(host, null, address.secure());
        this.pool = Pools.pool(limits, lookup);
        this.watch = Pools.watch();
        long sweep = Math.clamp(limits.idle().toMillis() / 2, 100, 5_000);
        // On a thread of its own: closing takes a while where TLS says goodbye, and the watch must not be late.
        Future<?> _ = watch.scheduleWithFixedDelay(
                () -> Thread.ofVirtual().name("penstock-idle").start(this::closeIdle),
                sweep,
                sweep,
                TimeUnit.MILLISECONDS);
    }

    @Override
    public HttpAnswer carry(HttpCall call, @Nullable Deadline deadline) throws Rejected, Failed, Unknown {
        ConnectionEndpoint endpoint = lease(Math.min(timeLeft(deadline), Durations.nanos(limits.poolWait())));
        boolean clean = false;
        TimeValue keep = null;
        try {
            boolean reused = endpoint.isConnected();
            if (!reused) {
                connect(endpoint, Math.min(timeLeft(deadline), Durations.nanos(limits.connectTimeout())));
            }
            Exchanged exchanged = exchange(endpoint, call, deadline, reused);
            clean = true;
            keep = exchanged.keep();
            return exchanged.answer();
        } catch (Rejected unsent) {
            clean = endpoint.isConnected();
            keep = clean ? TimeValue.of(limits.idle()) : null;
            throw unsent;
        } catch (RejectedExecutionException e) {
            throw faults.closed();
        } finally {
            if (!clean) {
                endpoint.close(CloseMode.IMMEDIATE);
            }
            pool.release(endpoint, null, keep);
        }
    }

    private long timeLeft(@Nullable Deadline deadline) throws Rejected {
        if (closed) {
            throw faults.closed();
        }
        long left = deadline == null ? Long.MAX_VALUE : Durations.nanos(deadline.left());
        if (left <= 0) {
            throw new Rejected(
                    Rejected.Cause.DEADLINE, "the time was up before anything was sent to " + address.hostAndPort());
        }
        return left;
    }

    private ConnectionEndpoint lease(long nanos) throws Rejected {
        if (Thread.currentThread().isInterrupted()) {
            throw faults.interruptedBefore();
        }
        long from = System.nanoTime();
        Timeout wait = Timeout.of(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)), TimeUnit.MILLISECONDS);
        LeaseRequest lease = request(wait);
        waiting.add(lease);
        try {
            if (closed) {
                throw faults.closed();
            }
            return lease.get(wait);
        } catch (InterruptedException e) {
            abandon(lease);
            Thread.currentThread().interrupt();
            throw faults.interruptedBefore();
        } catch (TimeoutException e) {
            abandon(lease);
            throw exhausted(System.nanoTime() - from);
        } catch (ExecutionException | CancellationException e) {
            throw notLeased(System.nanoTime() - from);
        } finally {
            waiting.remove(lease);
        }
    }

    /** Gives up waiting; a connection that came in the same moment goes back. */
    private void abandon(LeaseRequest lease) {
        if (lease.cancel()) {
            return;
        }
        try {
            pool.release(lease.get(Timeout.ZERO_MILLISECONDS), null, TimeValue.of(limits.idle()));
        } catch (ExecutionException | TimeoutException | CancellationException e) {
            // It had been cancelled before: nothing came.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The pool ends a wait in one way when it is closed, when it is too busy to look in time, and when interrupted. */
    private Rejected notLeased(long waited) {
        if (closed) {
            return faults.closed();
        }
        return Thread.currentThread().isInterrupted() ? faults.interruptedBefore() : exhausted(waited);
    }

    private LeaseRequest request(Timeout wait) throws Rejected {
        try {
            return pool.lease(address.hostAndPort(), route, wait, null);
        } catch (IllegalStateException e) {
            // The pool was closed since we looked.
            throw faults.closed();
        }
    }

    private Rejected exhausted(long waited) {
        PoolStats stats = pool.getTotalStats();
        return new Rejected(
                Rejected.Cause.POOL,
                "no connection to " + address.hostAndPort() + " came free within " + Durations.words(waited) + ": "
                        + stats.getLeased() + " of " + limits.poolMax() + " are in use and " + stats.getPending()
                        + " more calls wait; raise pool.max or lower the limit of the flow");
    }

    private void connect(ConnectionEndpoint endpoint, long nanos) throws Rejected, Failed {
        long until = System.nanoTime() + nanos;
        Cut cut = null;
        try {
            lookup.look(nanos);
            cut = new Cut(watch, until - System.nanoTime(), () -> endpoint.close(CloseMode.IMMEDIATE));
            pool.connect(
                    endpoint,
                    Timeout.of(Math.max(1, nanos / 1_000_000), TimeUnit.MILLISECONDS),
                    HttpCoreContext.create());
            if (!cut.over()) {
                throw faults.connectTimeout(nanos, null);
            }
            opened.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.interruptedBefore();
        } catch (TimeoutException e) {
            throw faults.lookupTimeout(nanos, e);
        } catch (IOException | IllegalStateException e) {
            throw faults.noConnection(e, cut != null && cut.happened(), nanos);
        } finally {
            if (cut != null) {
                cut.over();
            }
        }
    }

    /** An answer, and for how long the connection that brought it may be kept; null when it may not. */
    private record Exchanged(HttpAnswer answer, @Nullable TimeValue keep) {}

    private Exchanged exchange(ConnectionEndpoint endpoint, HttpCall call, @Nullable Deadline deadline, boolean reused)
            throws Rejected, Unknown {
        BasicClassicHttpRequest request = wire.request(call);
        long left = timeLeft(deadline);
        if (deadline != null) {
            long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(left));
            request.setHeader(HttpSource.DEADLINE_HEADER, Long.toString(millis));
        }
        long allowed = Math.min(left, Durations.nanos(limits.responseTimeout()));
        Cut cut = new Cut(watch, allowed, () -> endpoint.close(CloseMode.IMMEDIATE));
        HttpCoreContext context = HttpCoreContext.create();
        boolean answering = false;
        try {
            ClassicHttpResponse response = endpoint.execute(address.hostAndPort(), request, executor::execute, context);
            answering = true;
            HttpAnswer answer = wire.answer(call, response);
            return new Exchanged(answer, cut.over() ? wire.keep(request, response, context) : null);
        } catch (IOException | HttpException | RuntimeException e) {
            Unknown ending = closed ? faults.brokenOff(e) : faults.noAnswer(e, cut.happened(), allowed);
            if (reused && !answering && ending.why() == Unknown.Cause.CLOSED) {
                staleUsed.incrementAndGet();
            }
            throw ending;
        } finally {
            cut.over();
        }
    }

    private void closeIdle() {
        pool.closeExpired();
        pool.closeIdle(TimeValue.of(limits.idle()));
    }

    @Override
    public Map<String, Long> connections() {
        PoolStats stats = pool.getTotalStats();
        return Map.of(
                "leased", (long) stats.getLeased(),
                "idle", (long) stats.getAvailable(),
                "pending", (long) stats.getPending(),
                "opened", opened.get(),
                "stale_used", staleUsed.get());
    }

    @Override
    public void close() {
        closed = true;
        // The pool would let them wait on.
        waiting.forEach(LeaseRequest::cancel);
        pool.close(CloseMode.IMMEDIATE);
        // Timers that are set still go off: a call that was about to connect is bounded until it sees that this is
        // closed.
        watch.shutdown();
    }
}
