package dev.penstock.http;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.LiveSetting;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import dev.penstock.http.http2.Http2Connector;
import dev.penstock.supervise.Supervisor;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges over HTTP/2 if the target offers it, over HTTP/1.1 otherwise. Only for targets with TLS, where ALPN negotiates the
 * version (RFC 7301).
 *
 * <h2>Design note</h2>
 *
 * <p>The first call opens a connection that offers both versions. If HTTP/2 is negotiated, the call uses that connection. If
 * not, the connection is closed and the HTTP/1.1 pool opens its own: one extra handshake, once. Afterwards HTTP/1.1 is used,
 * and negotiation is repeated in the background every {@link #RENEGOTIATE_AFTER}, or by the next call after a failed
 * connect. With HTTP/2, every new connection negotiates anyway, and a stream reset with HTTP_1_1_REQUIRED switches later
 * calls to HTTP/1.1.
 */
final class NegotiatedExchange implements Exchange {
    /** How long a target without HTTP/2 is assumed to stay without it: 10 min. */
    static final Duration RENEGOTIATE_AFTER = Duration.ofMinutes(10);

    private final Http2Exchange http2;
    private final Supplier<Exchange> http1;
    private final Ticker ticker;
    private final Supervisor supervisor = Supervisor.current();
    private final AtomicBoolean negotiating = new AtomicBoolean();
    private volatile @Nullable Exchange overHttp1;
    /** When the target last turned out not to offer HTTP/2; null if it offers it, or is not known yet. */
    private volatile @Nullable Long withoutHttp2Since;

    private volatile boolean closed;

    /**
     * Creates an exchange that has not negotiated yet.
     *
     * @param http2 sends calls over HTTP/2 and negotiates; closed with this
     * @param http1 called at most once, for the first call over HTTP/1.1; its result is closed with this
     * @param ticker the clock
     */
    NegotiatedExchange(Http2Exchange http2, Supplier<Exchange> http1, Ticker ticker) {
        this.http2 = http2;
        this.http1 = http1;
        this.ticker = ticker;
    }

    @Override
    public HttpAnswer send(HttpCall call, @Nullable Deadline deadline) throws Rejected, Failed, Unknown {
        Long since = withoutHttp2Since;
        if (since == null) {
            try {
                return http2.sendIfOffered(call, deadline);
            } catch (Http2Connector.NotOffered e) {
                withoutHttp2Since = ticker.nanos();
            } catch (Unknown e) {
                if (Http2Faults.requiresHttp1(e)) {
                    withoutHttp2Since = ticker.nanos();
                }
                throw e;
            }
        } else if (ticker.nanos() - since >= Durations.nanos(RENEGOTIATE_AFTER)
                && negotiating.compareAndSet(false, true)) {
            Thread.ofVirtual().name("penstock-h2-negotiate").start(this::renegotiate);
        }
        Exchange overHttp1;
        try {
            overHttp1 = http1();
        } catch (OutOfMemoryError e) {
            throw http2.exhausted(e);
        }
        try {
            return overHttp1.send(call, deadline);
        } catch (Failed e) {
            if (e.why() == Failed.Cause.CONNECT) {
                withoutHttp2Since = null;
            }
            throw e;
        }
    }

    private void renegotiate() {
        try {
            withoutHttp2Since = http2.isOffered() ? null : (Long) ticker.nanos();
        } catch (Rejected | Failed e) {
            // Nothing new is known; the next call over HTTP/1.1 shows whether the target is down.
            withoutHttp2Since = ticker.nanos();
        } finally {
            negotiating.set(false);
        }
    }

    private Exchange http1() {
        Exchange known = overHttp1;
        if (known != null) {
            return known;
        }
        synchronized (this) {
            Exchange made = overHttp1;
            if (made == null) {
                made = supervisor.whileCurrent(http1::get);
                overHttp1 = made;
                if (closed) {
                    made.close();
                }
            }
            return made;
        }
    }

    @Override
    public int maxConcurrency() {
        return http2.maxConcurrency();
    }

    /** The sum of both versions. */
    @Override
    public Map<String, Long> connections() {
        Map<String, Long> all = new HashMap<>(http2.connections());
        Exchange known = overHttp1;
        if (known != null) {
            known.connections().forEach((state, count) -> all.merge(state, count, Long::sum));
        }
        return Map.copyOf(all);
    }

    /** The settings of the version that the next call uses; empty while it is unknown. */
    @Override
    public List<ExchangeSetting> settings() {
        Exchange known = overHttp1;
        if (known == null && http2.connections().getOrDefault("opened", 0L) == 0) {
            return List.of();
        }
        return withoutHttp2Since == null || known == null ? http2.settings() : known.settings();
    }

    @Override
    public List<LiveSetting> pinnable() {
        Exchange known = overHttp1;
        return withoutHttp2Since == null || known == null ? List.of() : known.pinnable();
    }

    @Override
    public void close() {
        http2.close();
        synchronized (this) {
            closed = true;
            Exchange known = overHttp1;
            if (known != null) {
                known.close();
            }
        }
    }
}
