package dev.penstock.http;

import dev.penstock.Deadline;
import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import java.io.IOException;
import java.util.ArrayList;
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
 * Exchanges over HTTP/2 (RFC 9113), many on one connection. pool.max bounds the streams of all connections together, and
 * with them the connections; one that the peer closes is seen before it is used, whatever pool.validate_after says.
 *
 * <h2>Design note</h2>
 *
 * <p>Of Apache HttpCore, which HttpClient's asynchronous HTTP/2 client is made of, only the wire format and the threads
 * that carry it are used, for the reasons told in {@link PooledExchange}. A caller blocks on its own virtual thread until
 * the last byte of its answer is here. Where the peer says that it has not processed a stream, by the last stream of a
 * GOAWAY (section 6.8) or by REFUSED_STREAM (section 8.7), the call goes over another connection, and is {@link Failed}
 * when that happens on {@value #TRIES} of them. Everything else that ends a stream which may have been sent is {@link Unknown}.
 *
 * <p>It goes straight to the target, never through a proxy, and a bound on the connections of several targets does not
 * count its few.
 */
final class Http2Exchange implements Exchange {
    /**
     * On how many connections a call is tried that closed before a byte of it was sent, or whose peer did not process it. Two
     * that end under load tell how many calls a connection is good for, so the third takes the call.
     */
    private static final int TRIES = 3;

    /** How many calls may be out where nobody says: they share connections, so each costs a few hundred bytes. */
    private static final int MOST = 10_000;

    private final TargetLimits limits;
    private final int most;
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
     * An exchange that has no connection yet.
     *
     * @param tls asked for each call and each connection; null for an address without TLS
     */
    Http2Exchange(Address address, TargetLimits limits, @Nullable Supplier<SSLContext> tls, ExchangeMonitor monitor) {
        this.limits = limits;
        this.most = limits.poolMax() == null ? MOST : limits.poolMax();
        this.faults = new Http2Faults(address.hostAndPort(), limits);
        this.format = new Http2Format(address);
        this.connections = new Http2Connections(limits, most, faults, new Http2Connector(address, most, tls));
        this.permits = new Semaphore(most, true);
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
     * As {@link #send}.
     *
     * @throws Http2Connector.NotOffered nothing was sent: the target offers no HTTP/2
     */
    HttpAnswer sendIfOffered(HttpCall call, @Nullable Deadline deadline)
            throws Rejected, Failed, Unknown, Http2Connector.NotOffered {
        if ("CONNECT".equalsIgnoreCase(call.method())) {
            throw new Failed(Failed.Cause.REFUSED, "a call with the method CONNECT cannot go over HTTP/2");
        }
        Http2Clock clock = new Http2Clock();
        try {
            HttpAnswer answer = send(call, deadline, clock);
            monitor.note(clock.times(true));
            return answer;
        } catch (Rejected | Failed | Unknown ending) {
            monitor.note(clock.times(false));
            throw ending;
        }
    }

    private HttpAnswer send(HttpCall call, @Nullable Deadline deadline, Http2Clock clock)
            throws Rejected, Failed, Unknown, Http2Connector.NotOffered {
        enter(deadline);
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

    /**
     * Asks the target, by opening a connection where there is none.
     *
     * @return whether it offers HTTP/2
     */
    boolean isOffered() throws Rejected, Failed {
        try {
            connections.giveBack(connections.lease(Long.MAX_VALUE, null));
            return true;
        } catch (Http2Connector.NotOffered e) {
            return false;
        }
    }

    private long timeLeft(@Nullable Deadline deadline) throws Rejected {
        if (closed.get()) {
            throw faults.closed();
        }
        long left = deadline == null ? Long.MAX_VALUE : Durations.nanos(deadline.left());
        if (left <= 0) {
            throw faults.deadlineExpired();
        }
        return left;
    }

    /** Waits until fewer than pool.max calls are out. */
    private void enter(@Nullable Deadline deadline) throws Rejected {
        long wait = Math.min(timeLeft(deadline), Durations.nanos(limits.poolWait()));
        pending.incrementAndGet();
        try {
            if (!permits.tryAcquire(wait, TimeUnit.NANOSECONDS)) {
                throw faults.exhausted(wait, inFlight.size(), most, pending.get() - 1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.interruptedBefore();
        } finally {
            pending.decrementAndGet();
        }
    }

    /**
     * The answer; null when the call may go over another connection: this one ended before a byte was sent, or the peer says
     * that it has not processed the call.
     *
     * @param mayRepeat whether there is another connection to go over; otherwise what was not processed is {@link Failed}
     */
    private @Nullable HttpAnswer exchange(
            Http2Connection connection, HttpCall call, @Nullable Deadline deadline, Http2Clock clock, boolean mayRepeat)
            throws Rejected, Failed, Unknown {
        Http2Stream stream;
        long left;
        try {
            left = timeLeft(deadline);
            long millis = deadline == null ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(left));
            stream = new Http2Stream(connection, format.request(call, millis), call, limits.maxAnswer());
        } catch (Rejected | RuntimeException | Error unsent) {
            connections.giveBack(connection);
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
            connections.giveBack(stream.connection());
            throw faults.closed();
        }
        long began = clock.sending(stream);
        boolean reused = isSentOverUsed(stream);
        Exception why = stream.await(allowed);
        if (stream.isLeft()) {
            connections.giveUp(stream);
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

    /** Sends it; whether another call was sent over its connection before. */
    private boolean isSentOverUsed(Http2Stream stream) {
        try {
            return stream.connection().send(stream);
        } catch (RuntimeException | Error e) {
            connections.giveUp(stream);
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
            return faults.closedLocally(why);
        }
        if (stream.isNotProcessed()) {
            throw faults.notProcessed(why);
        }
        Unknown ending = faults.noAnswer(why, allowed);
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

    /**
     * {@code leased} and {@code idle} connections, those with and without a call on them, and {@code streams} and {@code
     * pending}, the calls that are out and those that wait for a place, as they are now; the others as for HTTP/1.1, where
     * calls that one connection takes along count as one {@code stale_used}.
     */
    @Override
    public Map<String, Long> connections() {
        Http2ConnectionSet.Counts counts = connections.counts();
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
        List<ExchangeSetting> live = new ArrayList<>();
        if (limits.poolMax() == null) {
            String reason = "calls over HTTP/2 share connections, so it only bounds what the process holds";
            live.add(new ExchangeSetting("pool.max", Integer.toString(most), reason));
        }
        if (limits.idle() == null) {
            String reason = "over HTTP/2 a connection that is closed while idle is seen before it is used";
            live.add(new ExchangeSetting("pool.idle", Durations.words(TargetLimits.IDLE), reason));
        }
        if (limits.responseTimeout() == null) {
            String time = Durations.words(answers.allowed() / 1_000_000 * 1_000_000);
            live.add(new ExchangeSetting("pool.response_timeout", time, answers.reason()));
        }
        return live;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        // Those who wait find out that this is closed.
        permits.release(1 << 30);
        inFlight.forEach(stream -> stream.end(new IOException("closed")));
        connections.close();
    }
}
