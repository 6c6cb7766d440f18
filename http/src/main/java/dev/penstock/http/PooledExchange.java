package dev.penstock.http;

import dev.penstock.Deadline;
import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import dev.penstock.http.pool.Connection;
import dev.penstock.http.pool.ConnectionPool;
import dev.penstock.http.pool.Connector;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges over kept connections.
 *
 * <h2>Design note</h2>
 *
 * <p>The three steps stand in the open: take a place and a connection, connect, exchange. What fails in each is {@link
 * Rejected}, {@link Failed} and {@link Unknown}, in that order. A request is written once, on one connection.
 */
final class PooledExchange implements Exchange {
    private final Address address;
    private final TargetLimits limits;
    private final long poolWait;
    private final long connectTimeout;
    /** Nanoseconds; 0 where it is found by what answers took. */
    private final long responseTimeout;

    private final HostLookup lookup;
    private final ConnectionPool pool;
    private final RequestWriter.Form form;
    private final Faults faults;
    private final AnswerTimes answers;
    private final ExchangeMonitor monitor;
    private final Ticker ticker = Ticker.SYSTEM;
    /** As many as were being sent or read at once. */
    private final Deque<Codec> codecs = new ConcurrentLinkedDeque<>();

    private final LongAdder staleUsed = new LongAdder();
    private volatile boolean closed;

    PooledExchange(Address address, TargetLimits limits, Access access, ExchangeMonitor monitor) {
        this.address = address;
        this.limits = limits;
        this.poolWait = Durations.nanos(limits.poolWait());
        this.connectTimeout = Durations.nanos(limits.connectTimeout());
        Duration given = limits.responseTimeout();
        this.responseTimeout = given == null ? 0 : Durations.nanos(given);
        this.form = RequestWriter.Form.of(address, access.passesOn(address));
        this.faults = new Faults(address.hostAndPort(), limits);
        Connector connector =
                new Connector(address.bareHost(), address.port(), access.proxy(), access.contexts(), ticker);
        this.lookup = new HostLookup(connector.firstHop());
        this.monitor = monitor;
        this.answers = new AnswerTimes(ticker.nanos());
        this.pool = new ConnectionPool(connector, limits.ofPool(), access.total(), ticker);
    }

    @Override
    public HttpAnswer carry(HttpCall call, @Nullable Deadline deadline) throws Rejected, Failed, Unknown {
        ExchangeClock clock = new ExchangeClock(ticker);
        enter(Math.min(timeLeft(deadline), poolWait));
        Connection connection = null;
        long keep = 0;
        boolean answered = false;
        try {
            Exchanged exchanged = null;
            while (exchanged == null) {
                connection = lease(deadline, clock);
                long left = timeLeft(deadline);
                exchanged = exchange(connection, call, deadline != null, left, clock);
                if (exchanged == null) {
                    pool.replace(connection);
                    connection = null;
                }
            }
            keep = exchanged.keep;
            answered = true;
            return exchanged.answer;
        } catch (Rejected unsent) {
            // The time was up over a connection that is fine.
            keep = AnswerHead.AS_LONG_AS_WE_LIKE;
            throw unsent;
        } finally {
            giveBack(connection, keep, answered, clock);
        }
    }

    private void giveBack(@Nullable Connection connection, long keep, boolean answered, ExchangeClock clock) {
        long now = answered ? clock.endedAt() : clock.ended(connection);
        if (connection == null) {
            pool.leave();
        } else if (keep > 0) {
            pool.release(connection, keep, now);
        } else {
            pool.discard(connection);
        }
        monitor.note(clock, answered);
    }

    private Connection lease(@Nullable Deadline deadline, ExchangeClock clock) throws Rejected, Failed {
        Connection idle = pool.idle(ticker.nanos());
        long now = clock.leased();
        if (idle != null) {
            return idle;
        }
        return connect(Math.min(timeLeft(deadline), connectTimeout), now, clock);
    }

    private long timeLeft(@Nullable Deadline deadline) throws Rejected {
        if (closed) {
            throw faults.closed();
        }
        long left = deadline == null ? Long.MAX_VALUE : deadline.nanosLeft();
        if (left <= 0) {
            throw new Rejected(
                    Rejected.Cause.DEADLINE, "the time was up before anything was sent to " + address.hostAndPort());
        }
        return left;
    }

    private void enter(long nanos) throws Rejected {
        if (Thread.currentThread().isInterrupted()) {
            throw faults.interruptedBefore();
        }
        long from = ticker.nanos();
        try {
            if (!pool.enter(nanos)) {
                throw exhausted(ticker.nanos() - from);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.interruptedBefore();
        }
        if (closed) {
            pool.leave();
            throw faults.closed();
        }
    }

    private Rejected exhausted(long waited) {
        return new Rejected(
                Rejected.Cause.POOL,
                "no connection to " + address.hostAndPort() + " came free within " + Durations.words(waited) + ": all "
                        + pool.max() + " are in use and " + pool.waiting()
                        + " more calls wait; raise pool.max or lower the limit of the flow");
    }

    private Connection connect(long nanos, long now, ExchangeClock clock) throws Rejected, Failed {
        long until = now + nanos;
        try {
            List<InetAddress> addresses = lookup.look(nanos);
            Connection idle = idleUnlessMayOpen(now, ticker.nanos() + Math.min(until - ticker.nanos(), poolWait));
            if (idle != null) {
                clock.leased();
                return idle;
            }
            Connection opened = pool.open(addresses, until);
            clock.opened(opened);
            return opened;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.interruptedBefore();
        } catch (TimeoutException e) {
            throw faults.lookupTimeout(nanos, e);
        } catch (IOException | RuntimeException e) {
            if (closed) {
                throw faults.closed();
            }
            throw faults.noConnection(e, false, nanos);
        }
    }

    /** An idle connection that came free while the total of all targets allowed no other; null when it allows one. */
    private @Nullable Connection idleUnlessMayOpen(long now, long until) throws InterruptedException, Rejected {
        while (!pool.mayOpen(until - ticker.nanos())) {
            Connection idle = pool.idle(ticker.nanos());
            if (idle != null) {
                return idle;
            }
            if (ticker.nanos() - until >= 0) {
                throw totalExhausted(ticker.nanos() - now);
            }
        }
        return null;
    }

    private Rejected totalExhausted(long waited) {
        return new Rejected(
                Rejected.Cause.POOL,
                "no connection to " + address.hostAndPort() + " could be opened within " + Durations.words(waited)
                        + ": as many are in use as all targets may have together; raise their total");
    }

    /** An answer, and for how long the connection that brought it may be kept; 0 when it may not. */
    private record Exchanged(HttpAnswer answer, long keep) {}

    /** Null when the connection turned out to have ended before it took a byte: the call may go over another. */
    private @Nullable Exchanged exchange(
            Connection connection, HttpCall call, boolean bounded, long left, ExchangeClock clock)
            throws Rejected, Failed, Unknown {
        long allowed = Math.min(left, responseTimeout());
        long began = clock.sending();
        pool.cutAt(connection, began + allowed);
        boolean answering = false;
        try {
            send(call, bounded ? Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)) : 0, connection);
            clock.sent();
            connection.awaitAnswer();
            Codec codec = codec();
            AnswerHead head = codec.head(connection);
            answering = true;
            long length = head.bodyLength(call.method());
            HttpAnswer answer = answer(call, head, codec.body(connection, length, limits.maxAnswer()));
            boolean clean = codec.isClean();
            if (clean) {
                codecs.addFirst(codec);
            }
            boolean reusable = connection.endCut() && clean;
            long now = clock.ended(connection);
            pool.answered(connection, now);
            answers.took(now - began, now);
            return new Exchanged(answer, reusable ? head.keep(length) : 0);
        } catch (IOException | RuntimeException e) {
            if (!connection.hasSent() && !connection.wasCut() && !closed) {
                if (connection.isReused() && !Thread.currentThread().isInterrupted()) {
                    return null;
                }
                throw faults.noConnection(e, false, allowed);
            }
            Unknown ending = closed ? faults.brokenOff(e) : faults.noAnswer(e, connection.wasCut(), allowed);
            noteDeath(connection, ending, answering, allowed);
            throw ending;
        }
    }

    private long responseTimeout() {
        return responseTimeout == 0 ? answers.allowed() : responseTimeout;
    }

    private void noteDeath(Connection connection, Unknown ending, boolean answering, long allowed) {
        if (connection.isReused() && !answering) {
            if (ending.why() == Unknown.Cause.CLOSED) {
                staleUsed.increment();
            } else if (ending.why() == Unknown.Cause.TIMEOUT) {
                pool.unanswered(connection);
                return;
            }
        }
        if (ending.why() == Unknown.Cause.TIMEOUT) {
            answers.took(allowed, ticker.nanos());
        }
    }

    /** The buffers go back before the wait for the answer: however many wait, there are a few. */
    private void send(HttpCall call, long millisLeft, Connection connection) throws IOException {
        Codec codec = codec();
        codec.send(call, millisLeft, connection);
        codecs.addFirst(codec);
    }

    private Codec codec() {
        Codec codec = codecs.pollFirst();
        return codec == null ? new Codec(form) : codec;
    }

    private static HttpAnswer answer(HttpCall call, AnswerHead head, byte[] body) {
        Headers headers = EndToEnd.of(head.headers());
        // Its length is that of the body we hold; of a HEAD's, that of the body there would be.
        return HttpAnswer.of(
                head.status(), "HEAD".equals(call.method()) ? headers : headers.without("Content-Length"), body);
    }

    @Override
    public Map<String, Long> connections() {
        Map<String, Long> counts = new LinkedHashMap<>(pool.counts());
        counts.put("stale_used", staleUsed.sum());
        return counts;
    }

    @Override
    public List<LiveSetting> settings() {
        List<LiveSetting> live = new ArrayList<>();
        if (limits.poolMax() == null) {
            live.add(new LiveSetting("pool.max", Integer.toString(pool.max()), pool.maxReason()));
        }
        if (limits.idle() == null) {
            String idle = Durations.words(pool.idleMost() / 1_000_000 * 1_000_000);
            live.add(new LiveSetting("pool.idle", idle, pool.idleReason()));
        }
        if (limits.responseTimeout() == null) {
            String time = Durations.words(answers.allowed() / 1_000_000 * 1_000_000);
            live.add(new LiveSetting("pool.response_timeout", time, answers.reason()));
        }
        return live;
    }

    @Override
    public void close() {
        closed = true;
        pool.close();
    }
}
