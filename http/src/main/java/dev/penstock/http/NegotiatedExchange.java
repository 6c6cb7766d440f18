package dev.penstock.http;

import dev.penstock.Deadline;
import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import dev.penstock.supervise.Supervisor;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges over HTTP/2 where the target offers it, over HTTP/1.1 otherwise. Only for targets with TLS: what one offers is
 * told by ALPN (RFC 7301).
 *
 * <h2>Design note</h2>
 *
 * <p>The first call asks by opening a connection that offers both. It is carried over that connection if it turns out as
 * HTTP/2; if not, the connection is closed, and HTTP/1.1 opens its own: one handshake more, once. From then on HTTP/1.1 is
 * taken for granted, and the question put again in the background every {@link #ASK_AGAIN}, or by the next call once a
 * connection has failed. Where HTTP/2 was offered, every new connection finds out by itself when it no longer is, and a
 * stream reset as HTTP_1_1_REQUIRED moves the calls after it to HTTP/1.1.
 */
final class NegotiatedExchange implements Exchange {
    /** How long it is taken for granted that a target offers no HTTP/2: 10 min. */
    static final Duration ASK_AGAIN = Duration.ofMinutes(10);

    private final Http2Exchange http2;
    private final Supplier<Exchange> http1;
    private final Ticker ticker;
    private final Supervisor supervisor = Supervisor.current();
    private final AtomicBoolean asking = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Exchange overHttp1;
    /** When it was found that there is no HTTP/2; null when there is, or nobody knows. */
    private volatile @Nullable Long without;

    private volatile boolean closed;

    /**
     * An exchange that has asked nothing yet.
     *
     * @param http2 carries what goes over HTTP/2, and asks; closed with this
     * @param http1 called at most once, when there is a first call for HTTP/1.1; what it gives is closed with this
     * @param ticker tells when to ask again
     */
    NegotiatedExchange(Http2Exchange http2, Supplier<Exchange> http1, Ticker ticker) {
        this.http2 = http2;
        this.http1 = http1;
        this.ticker = ticker;
    }

    @Override
    public HttpAnswer send(HttpCall call, @Nullable Deadline deadline) throws Rejected, Failed, Unknown {
        Long since = without;
        if (since == null) {
            try {
                return http2.sendIfOffered(call, deadline);
            } catch (Http2Connector.NotOffered e) {
                without = ticker.nanos();
            } catch (Unknown e) {
                if (Http2Faults.requiresHttp1(e)) {
                    without = ticker.nanos();
                }
                throw e;
            }
        } else if (ticker.nanos() - since >= Durations.nanos(ASK_AGAIN) && asking.compareAndSet(false, true)) {
            Thread.ofVirtual().name("penstock-ask").start(this::askAgain);
        }
        try {
            return http1().send(call, deadline);
        } catch (Failed e) {
            if (e.why() == Failed.Cause.CONNECT) {
                without = null;
            }
            throw e;
        }
    }

    private void askAgain() {
        try {
            without = http2.isOffered() ? null : (Long) ticker.nanos();
        } catch (Rejected | Failed e) {
            // Nothing is known better than before; HTTP/1.1 will tell if the target is gone.
            without = ticker.nanos();
        } finally {
            asking.set(false);
        }
    }

    private Exchange http1() {
        Exchange known = overHttp1;
        if (known != null) {
            return known;
        }
        lock.lock();
        try {
            Exchange made = overHttp1;
            if (made == null) {
                made = supervisor.whileCurrent(http1::get);
                overHttp1 = made;
                if (closed) {
                    made.close();
                }
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    /** Both together. */
    @Override
    public Map<String, Long> connections() {
        Map<String, Long> all = new HashMap<>(http2.connections());
        Exchange known = overHttp1;
        if (known != null) {
            known.connections().forEach((state, count) -> all.merge(state, count, Long::sum));
        }
        return Map.copyOf(all);
    }

    /** Those of the version that the next call goes over; none while nobody knows which. */
    @Override
    public List<ExchangeSetting> settings() {
        Exchange known = overHttp1;
        if (known == null && http2.connections().getOrDefault("opened", 0L) == 0) {
            return List.of();
        }
        return without == null || known == null ? http2.settings() : known.settings();
    }

    @Override
    public List<dev.penstock.LiveSetting> pinnable() {
        Exchange known = overHttp1;
        return without == null || known == null ? List.of() : known.pinnable();
    }

    @Override
    public void close() {
        http2.close();
        lock.lock();
        try {
            closed = true;
            Exchange known = overHttp1;
            if (known != null) {
                known.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
