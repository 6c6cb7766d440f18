package dev.penstock.http;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.http.http2.Http2Connection;
import dev.penstock.http.http2.Http2Connections;
import dev.penstock.http.http2.Http2Connector;
import dev.penstock.http.http2.Http2Stream;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http.ProtocolException;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges over HTTP/2 (RFC 9113), many per connection. pool.max limits the concurrent streams of all connections, and thereby
 * the connections. A connection closed by the peer is always detected before it is used.
 *
 * <h2>Design note</h2>
 *
 * <p>Only the codec and the I/O threads of Apache HttpCore are used, not HttpClient's asynchronous client. A caller blocks on
 * its virtual thread until the last byte of the answer. If the peer reports that it has not processed a stream, by the last
 * stream of a GOAWAY (section 6.8) or by REFUSED_STREAM (section 8.7), the call is sent on another connection; after
 * {@value #TRIES} such connections it is {@link Failed}. Any other end of a stream that may have been sent is {@link Unknown}.
 *
 * <p>It connects directly, never through a proxy, and its few connections do not count towards the limit on the connections of
 * several targets.
 */
final class Http2Exchange implements Exchange {
    /**
     * The number of connections on which a call is tried if they close before a byte was sent or if the peer did not process
     * it. Two connections that end under load reveal the peer's limit of calls per connection, so the third succeeds.
     */
    private static final int TRIES = 3;

    /** Default maximum of concurrent calls: calls share connections, so each costs a few hundred bytes. */
    private static final int DEFAULT_MAX = 10_000;

    private final TargetLimits limits;
    private final int max;
    private final Http2Faults faults;
    private final Http2Format format;
    private final Http2Connections connections;
    private final Semaphore permits;
    private final ExchangeMonitor monitor;
    private final AnswerTimes answers = new AnswerTimes(System.nanoTime());
    private final Set<Http2Stream> inFlight = ConcurrentHashMap.newKeySet();
    private final AtomicLong pending = new AtomicLong();
    private final AtomicLong staleUsed = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Creates an exchange without connections.
     *
     * @param tls provides the current TLS context, for each call and connection; null for plain TCP
     */
    Http2Exchange(Address address, TargetLimits limits, @Nullable Supplier<SSLContext> tls, ExchangeMonitor monitor) {
        this.limits = limits;
        this.max = limits.poolMax() == null ? DEFAULT_MAX : limits.poolMax();
        this.faults = new Http2Faults(address.hostAndPort(), limits);
        this.format = new Http2Format(address);
        this.connections = new Http2Connections(
                limits.ofHttp2(max), faults, new Http2Connector(address.bareHost(), address.port(), max, tls));
        this.permits = new Semaphore(max, true);
        this.monitor = monitor;
    }

    @Override
    public HttpAnswer send(HttpCall call, @Nullable Deadline deadline) throws Rejected, Failed, Unknown {
        try {
            return sendIfOffered(call, deadline);
        } catch (Http2Connector.NotOffered e) {
            throw faults.notOffered(e);
        }
    }

    /**
     * Like {@link #send}.
     *
     * @throws Http2Connector.NotOffered nothing was sent: the target offers no HTTP/2
     */
    HttpAnswer sendIfOffered(HttpCall call, @Nullable Deadline deadline)
            throws Rejected, Failed, Unknown, Http2Connector.NotOffered {
        if ("CONNECT".equalsIgnoreCase(call.method())) {
            throw new Failed(
                    Failed.Cause.REFUSED, "the method CONNECT is not supported over HTTP/2; use another method");
        }
        Http2Clock clock = new Http2Clock();
        try {
            HttpAnswer answer = send(call, deadline, clock);
            monitor.note(clock.times(true), call, answer);
            return answer;
        } catch (Rejected | Failed | Unknown ending) {
            monitor.note(clock.times(false), call, null);
            throw ending;
        }
    }

    private HttpAnswer send(HttpCall call, @Nullable Deadline deadline, Http2Clock clock)
            throws Rejected, Failed, Unknown, Http2Connector.NotOffered {
        acquirePermit(deadline);
        try {
            Http2Connection connection = null;
            for (int tried = 1; tried <= TRIES; tried++) {
                connection = connections.lease(timeLeft(deadline), connection);
                clock.leased(connection);
                HttpAnswer answer = exchange(connection, call, deadline, clock, tried < TRIES);
                if (answer != null) {
                    return answer;
                }
            }
            throw faults.neverSent(TRIES);
        } finally {
            permits.release();
        }
    }

    /** The ending of a call for which this process has no thread or memory. */
    Rejected exhausted(OutOfMemoryError e) {
        return faults.exhausted(e);
    }

    /**
     * Negotiates the version, by opening a connection if there is none.
     *
     * @return whether the target offers HTTP/2
     */
    boolean isOffered() throws Rejected, Failed {
        try {
            connections.release(connections.lease(Long.MAX_VALUE, null));
            return true;
        } catch (Http2Connector.NotOffered e) {
            return false;
        }
    }

    private long timeLeft(@Nullable Deadline deadline) throws Rejected {
        if (closed.get()) {
            throw faults.poolClosed();
        }
        long left = deadline == null ? Long.MAX_VALUE : Durations.nanos(deadline.left());
        if (left <= 0) {
            throw faults.deadlineExpired();
        }
        return left;
    }

    /** Waits until fewer than pool.max calls are in flight. */
    private void acquirePermit(@Nullable Deadline deadline) throws Rejected {
        long wait = Math.min(timeLeft(deadline), Durations.nanos(limits.poolWait()));
        pending.incrementAndGet();
        try {
            if (!permits.tryAcquire(wait, TimeUnit.NANOSECONDS)) {
                long _ = timeLeft(deadline);
                throw faults.exhausted(wait, inFlight.size(), max, pending.get() - 1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.interruptedBefore();
        } finally {
            pending.decrementAndGet();
        }
    }

    /**
     * Returns the answer, or null if the call may be sent on another connection: this one ended before a byte was sent, or the
     * peer reported that it did not process the call.
     *
     * @param mayRepeat whether another connection may be tried; otherwise an unprocessed call is {@link Failed}
     */
    private @Nullable HttpAnswer exchange(
            Http2Connection connection, HttpCall call, @Nullable Deadline deadline, Http2Clock clock, boolean mayRepeat)
            throws Rejected, Failed, Unknown {
        Http2Stream stream;
        long left;
        try {
            left = timeLeft(deadline);
            if (answers.isTooLate(left, clock.waited())) {
                throw faults.tooLate(clock.waited(), left, answers.usual());
            }
            long millis = deadline == null ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(left));
            stream = new Http2Stream(
                    connection,
                    format.request(call, millis),
                    call.body(),
                    call.memory(),
                    limits.maxAnswer(),
                    Http1Codec.MAX_INTERIM);
        } catch (Rejected | RuntimeException | Error unsent) {
            connections.release(connection);
            throw unsent;
        }
        inFlight.add(stream);
        try {
            return exchange(call, stream, Math.min(left, responseTimeout()), clock, mayRepeat);
        } finally {
            inFlight.remove(stream);
        }
    }

    private @Nullable HttpAnswer exchange(
            HttpCall call, Http2Stream stream, long allowed, Http2Clock clock, boolean mayRepeat)
            throws Rejected, Failed, Unknown {
        if (closed.get()) {
            connections.release(stream.connection());
            throw faults.poolClosed();
        }
        long began = clock.sending(stream);
        boolean reused = sendOnConnection(stream);
        Exception why = stream.await(allowed);
        if (stream.isLeft()) {
            connections.abandon(stream);
        } else if (why == null) {
            connections.free(stream);
        }
        if (why == null) {
            long now = System.nanoTime();
            answers.took(now - began, now);
            return answer(call, stream);
        }
        if (stream.isNeverSent() || (mayRepeat && stream.isNotProcessed() && !closed.get())) {
            return null;
        }
        throw ending(stream, why, allowed, reused);
    }

    /** Sends it; returns whether another call was sent on its connection before. */
    private boolean sendOnConnection(Http2Stream stream) {
        try {
            return stream.connection().send(stream);
        } catch (RuntimeException | Error e) {
            connections.abandon(stream);
            throw e;
        }
    }

    private long responseTimeout() {
        return limits.responseTimeout() == null ? answers.allowed() : Durations.nanos(limits.responseTimeout());
    }

    private HttpAnswer answer(HttpCall call, Http2Stream stream) throws Unknown {
        try {
            return format.answer(call, stream.head(), stream.body());
        } catch (ProtocolException | RuntimeException e) {
            throw faults.garbled(e);
        }
    }

    private Unknown ending(Http2Stream stream, Exception why, long allowed, boolean reused) throws Failed {
        if (closed.get()) {
            return faults.targetClosed(why);
        }
        if (stream.isNotProcessed()) {
            throw faults.notProcessed(why);
        }
        Unknown ending = faults.noAnswer(why, allowed, allowed < responseTimeout());
        if (ending.why() == Unknown.Cause.TIMEOUT) {
            answers.timedOut(allowed, System.nanoTime());
        }
        if (reused
                && faults.isEndOfConnection(ending)
                && !stream.answering()
                && stream.connection().foundStale()) {
            staleUsed.incrementAndGet();
        }
        return ending;
    }

    @Override
    public int maxConcurrency() {
        return limits.maxConcurrency();
    }

    /**
     * Current numbers: {@code leased} and {@code idle} (connections with and without calls), {@code streams} (calls in flight)
     * and {@code pending} (calls waiting for a slot). The others are as for HTTP/1.1; all calls lost with one stale connection
     * count as one {@code stale_used}.
     */
    @Override
    public Map<String, Long> connections() {
        Http2Connections.Counts counts = connections.counts();
        return Map.of(
                "leased", counts.leased(),
                "idle", counts.idle(),
                "streams", (long) inFlight.size(),
                "pending", pending.get() + connections.waiting(),
                "opened", counts.opened(),
                "found_closed", counts.foundClosed(),
                "retired", counts.retired(),
                "stale_used", staleUsed.get());
    }

    @Override
    public List<ExchangeSetting> settings() {
        return limits.adaptive(
                max,
                "HTTP/2 calls share connections; the maximum only limits the memory of this process",
                Durations.nanos(TargetLimits.DEFAULT_IDLE),
                "over HTTP/2 a close by the peer is always detected before use",
                answers);
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        // Waiting calls then see that this is closed.
        permits.release(1 << 30);
        inFlight.forEach(stream -> stream.end(new IOException("the target was closed")));
        connections.close();
    }
}
