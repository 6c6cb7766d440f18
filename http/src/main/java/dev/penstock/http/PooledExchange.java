package dev.penstock.http;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.LiveSetting;
import dev.penstock.Rejected;
import dev.penstock.Setting.Origin;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import dev.penstock.http.http1.AnswerHead;
import dev.penstock.http.http1.RequestWriter;
import dev.penstock.http.pool.BufferPool;
import dev.penstock.http.pool.Connection;
import dev.penstock.http.pool.ConnectionPool;
import dev.penstock.http.pool.Connector;
import dev.penstock.http.pool.HostLookup;
import dev.penstock.http.pool.Lease;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 exchanges over pooled connections.
 *
 * <h2>Design note</h2>
 *
 * <p>An exchange has three steps: acquire a permit and a connection, connect, send and receive. An error in the first step is
 * {@link Rejected}, in the second {@link Failed}, in the third {@link Unknown}. A request is written once, on one connection.
 */
final class PooledExchange implements Exchange {
    /** RFC 9110 section 15.5.8. */
    private static final int PROXY_AUTHENTICATION_REQUIRED = 407;

    private final TargetLimits limits;
    /** Nanoseconds; 0 if adaptive. */
    private final long responseTimeout;

    private final ConnectionPool pool;
    private final LiveSetting max;
    private final ConnectionAcquirer connections;
    private final RequestWriter.Form form;
    private final HttpFaults faults;
    private final AnswerTimes answers;
    private final ExchangeMonitor monitor;
    private final Ticker ticker;
    /** Whether a proxy forwards the requests, instead of tunnelling them. */
    private final boolean forwardedByProxy;

    private final BufferPool<Http1Codec> codecs;

    private final LongAdder staleUsed = new LongAdder();

    PooledExchange(Address address, TargetLimits limits, TargetAccess access, ExchangeMonitor monitor, Ticker ticker) {
        this.limits = limits;
        this.ticker = ticker;
        Duration given = limits.responseTimeout();
        this.responseTimeout = given == null ? 0 : Durations.nanos(given);
        this.forwardedByProxy = access.forwardingProxy(address) != null;
        this.form = Http1Codec.form(address, access.forwardingProxy(address));
        this.codecs = new BufferPool<>(() -> new Http1Codec(form));
        this.faults = new HttpFaults(address.hostAndPort(), access.proxy(), limits);
        Connector connector =
                new Connector(address.bareHost(), address.port(), access.proxy(), access.contexts(), ticker);
        this.monitor = monitor;
        this.answers = new AnswerTimes(ticker.nanos());
        this.pool = new ConnectionPool(connector, limits.ofPool(), access.total(), ticker);
        LiveSetting.Knob knob = new LiveSetting.Knob(value -> pool.pinMax(Integer.parseInt(value)), pool::unpinMax, "");
        this.max = new LiveSetting("pool.max", this::max, knob, InstantSource.system(), Origin.DEFAULT);
        this.connections = new ConnectionAcquirer(limits, pool, new HostLookup(connector.firstHop()), faults, ticker);
    }

    @Override
    public HttpAnswer send(HttpCall call, @Nullable Deadline deadline) throws Rejected, Failed, Unknown {
        ExchangeClock clock = new ExchangeClock(ticker);
        HttpAnswer answer = null;
        try (Lease lease = connections.acquire(deadline, clock)) {
            answer = exchange(lease, call, deadline, clock);
            while (answer == null) {
                connections.replaceStale(lease, deadline, clock);
                answer = exchange(lease, call, deadline, clock);
            }
            return answer;
        } finally {
            monitor.note(clock.times(answer != null), call, answer);
        }
    }

    /** Returns null if a reused connection had ended before it accepted a byte: the call may use another connection. */
    private @Nullable HttpAnswer exchange(Lease lease, HttpCall call, @Nullable Deadline deadline, ExchangeClock clock)
            throws Rejected, Failed, Unknown {
        Connection connection = lease.connection();
        long left = connections.timeLeft(deadline);
        long waited = ticker.nanos() - clock.startedAt();
        if (answers.isTooLate(left, waited)) {
            throw faults.tooLate(waited, left, answers.usual());
        }
        long allowed = Math.min(left, responseTimeout());
        long began = clock.sending();
        lease.begin(began + allowed);
        Http1Codec codec = null;
        try {
            boolean sentWhole = isSentWhole(call, deadline == null ? 0 : millis(left), connection);
            clock.sent();
            clock.firstByte(connection.awaitAnswer());
            codec = codecs.take();
            AnswerHead head = codec.head(connection);
            if (head.status() == PROXY_AUTHENTICATION_REQUIRED && forwardedByProxy) {
                throw faults.refusedByProxy(head.status());
            }
            long length = head.bodyLength(call.method());
            byte[] body =
                    codec.body(connection, length, limits.maxAnswer(), bytes -> MemoryExhausted.take(call, bytes));
            HttpAnswer answer = HttpAnswer.received(call, head.status(), head.headers(), body);
            boolean clean = codec.isClean();
            if (clean) {
                codecs.give(codec);
            }
            boolean reusable = connection.clearTimeout() && clean && sentWhole;
            long now = clock.ended();
            lease.answered(now);
            answers.took(now - began, now);
            if (reusable) {
                lease.reusable(head.keep(length), now);
            }
            return answer;
        } catch (IOException | RuntimeException e) {
            if (connection.hasSent()) {
                throw noAnswer(lease, e, codec != null && codec.hasBegun(), allowed);
            }
            long _ = connections.timeLeft(deadline);
            if (!connection.isReused()) {
                throw faults.noConnection(e, allowed);
            }
            return null;
        }
    }

    private static long millis(long nanos) {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
    }

    /**
     * Sends the request. The codec is returned before the wait for the answer, so that waiting calls hold no buffers.
     *
     * @return false if the target accepted only a part: it may have answered already and stopped reading (RFC 9112 section 9.5)
     */
    private boolean isSentWhole(HttpCall call, long millisLeft, Connection connection) throws IOException {
        Http1Codec codec = codecs.take();
        try {
            codec.send(call, millisLeft, connection);
            codecs.give(codec);
            return true;
        } catch (IOException e) {
            if (connection.hasSent()) {
                return false;
            }
            throw e;
        }
    }

    private long responseTimeout() {
        return responseTimeout == 0 ? answers.allowed() : responseTimeout;
    }

    /** Something was sent, and there is no answer. */
    private Unknown noAnswer(Lease lease, Exception e, boolean begun, long allowed) {
        Connection connection = lease.connection();
        Unknown ending = connections.isClosed()
                ? faults.targetClosed(e)
                : faults.noAnswer(e, connection.hasTimedOut(), allowed, allowed < responseTimeout());
        boolean silent = connection.isReused() && !begun;
        if (silent && ending.why() == Unknown.Cause.CLOSED) {
            staleUsed.increment();
        }
        if (ending.why() == Unknown.Cause.TIMEOUT) {
            if (silent && answers.isUnusual(allowed)) {
                lease.unanswered();
            } else {
                answers.timedOut(allowed, ticker.nanos());
            }
        }
        return ending;
    }

    @Override
    public int maxConcurrency() {
        return limits.maxConcurrency();
    }

    @Override
    public Map<String, Long> connections() {
        Map<String, Long> counts = new LinkedHashMap<>(pool.counts());
        counts.put("stale_used", staleUsed.sum());
        return counts;
    }

    @Override
    public List<ExchangeSetting> settings() {
        return limits.adaptive(pool.max(), pool.maxReason(), pool.idleTimeout(), pool.idleReason(), answers);
    }

    private LiveSetting.Now max() {
        String range = "1.." + ConnectionPool.MAX_SIZE;
        return new LiveSetting.Now(Integer.toString(pool.max()), range, pool.maxReason(), limits.poolMax() != null);
    }

    @Override
    public List<LiveSetting> pinnable() {
        return List.of(max);
    }

    @Override
    public void close() {
        connections.close();
    }
}
