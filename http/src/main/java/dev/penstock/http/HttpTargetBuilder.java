package dev.penstock.http;

import dev.penstock.Setting;
import dev.penstock.Ticker;
import dev.penstock.http.header.Headers;
import dev.penstock.http.internal.BuilderValues;
import dev.penstock.http.internal.Paths;
import dev.penstock.http.pool.ConnectionPool;
import dev.penstock.http.pool.ConnectionTotal;
import dev.penstock.http.pool.Proxy;
import dev.penstock.http.tls.Tls;
import dev.penstock.http.tls.TlsMaterial;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link HttpTarget}. Each method validates its argument immediately and throws IllegalArgumentException, with a
 * one-line message, if it is out of range. Not thread-safe.
 */
public final class HttpTargetBuilder {
    /** The default of {@link #poolWait}: 1 s. */
    public static final Duration DEFAULT_POOL_WAIT = Duration.ofSeconds(1);

    /** The upper bound of the adaptive idle time, see {@link #idle}: 1 min. */
    public static final Duration DEFAULT_IDLE = TargetLimits.DEFAULT_IDLE;

    /** The default of {@link #connectTimeout}: 2 s. */
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(2);

    /** The default of {@link #maxAnswer}, in bytes: {@value}. */
    public static final int DEFAULT_MAX_ANSWER = 16 << 20;

    private final Address address;
    private final BuilderValues given = new BuilderValues();
    private String sourcePath = "/";
    private Headers fixed = Headers.none();
    private final Map<String, Supplier<String>> changing = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private @Nullable Integer poolMax;
    private Duration poolWait = DEFAULT_POOL_WAIT;
    private @Nullable Duration idle;
    private @Nullable Duration maxAge;
    private Duration connectTimeout = DEFAULT_CONNECT_TIMEOUT;
    private @Nullable Duration responseTimeout;
    private int maxAnswer = DEFAULT_MAX_ANSWER;
    private @Nullable Proxy proxy;
    private @Nullable ConnectionTotal total;
    private @Nullable Consumer<? super ExchangeTimes> monitor;
    private @Nullable Tls tls;
    private HttpVersion version = HttpVersion.AUTO;

    HttpTargetBuilder(Address address) {
        this.address = address;
    }

    /** The prefix of a call's path that the URL replaces, see {@link HttpTarget}. Default: {@code /}. */
    public HttpTargetBuilder sourcePath(String path) {
        this.sourcePath = Paths.checked(path);
        return this;
    }

    /**
     * Adds a header field to every request, such as Authorization. It replaces fields of that name in the call.
     *
     * @throws IllegalArgumentException if {@link dev.penstock.http.header.Header} rejects it, or if it is hop-by-hop or set by
     *     {@link HttpTarget} itself
     */
    public HttpTargetBuilder header(String name, String value) {
        Headers one = Headers.none().with(name, value);
        if (HttpTarget.forwarded(one).size() == 0) {
            throw new IllegalArgumentException("header " + name + " is set by Penstock itself: remove it");
        }
        this.fixed = fixed.with(name, value);
        changing.remove(name);
        return this;
    }

    /**
     * Adds a header field whose value may change, such as a token that is renewed. Otherwise like {@link #header(String,
     * String)}.
     *
     * @param value called for each request. What it throws, or a value that cannot be sent, fails the call before anything is
     *     sent
     */
    public HttpTargetBuilder header(String name, Supplier<String> value) {
        header(name, value.get());
        changing.put(name, value);
        return this;
    }

    /**
     * Maximum number of connections in use at a time. A target is a single route, so this is both the total and the per-route
     * maximum. 1..100000. Default: adaptive, from the measured throughput (rate x time) plus headroom for bursts, up to 10000.
     */
    public HttpTargetBuilder poolMax(int connections) {
        this.poolMax = given.within("pool.max", connections, 1, ConnectionPool.MAX_SIZE);
        return this;
    }

    /** Limits the connections of several targets together. Default: no limit. */
    @SuppressWarnings("exports") // for the gateway
    public HttpTargetBuilder connectionTotal(ConnectionTotal bound) {
        this.total = bound;
        return this;
    }

    /** How long a call waits for a free connection if all are in use. 1 ms..1 h, default 1 s. */
    public HttpTargetBuilder poolWait(Duration time) {
        this.poolWait = given.within("pool.wait", time, BuilderValues.MIN_TIME);
        return this;
    }

    /**
     * How long a connection may be idle before it is closed. A Keep-Alive header of the target may shorten it. 1 ms..1 h.
     * Default: 1 min, and less once the target, or a middlebox on the path, has been observed to drop idle connections sooner.
     */
    public HttpTargetBuilder idle(Duration time) {
        this.idle = given.within("pool.idle", time, BuilderValues.MIN_TIME);
        return this;
    }

    /**
     * Maximum age of a connection. An older one is not reused, so that changes of the host's DNS addresses take effect.
     * 1 ms..1 h. Default: unlimited.
     */
    public HttpTargetBuilder maxAge(Duration time) {
        this.maxAge = given.within("pool.max_age", time, BuilderValues.MIN_TIME);
        return this;
    }

    /** Time limit for DNS lookup, TCP connect and TLS handshake together. 1 ms..1 h, default 2 s. */
    public HttpTargetBuilder connectTimeout(Duration time) {
        this.connectTimeout = given.within("pool.connect_timeout", time, BuilderValues.MIN_TIME);
        return this;
    }

    /**
     * Time limit from the first byte sent to the last byte of the answer. 1 ms..1 h. Default: 1 min at first, then three times
     * the longest answer of the last minutes, within 5 s..1 min. An earlier deadline always applies.
     */
    public HttpTargetBuilder responseTimeout(Duration time) {
        this.responseTimeout = given.within("pool.response_timeout", time, BuilderValues.MIN_TIME);
        return this;
    }

    /** Maximum size of the body of an answer in bytes. 1..1 GiB, default 16 MiB. */
    public HttpTargetBuilder maxAnswer(int bytes) {
        this.maxAnswer = given.within("pool.max_answer", bytes, 1, 1 << 30);
        return this;
    }

    /**
     * Connects through an HTTP proxy: https is tunnelled (CONNECT), plain requests are forwarded. Default: no proxy.
     *
     * @param hostAndPort such as {@code proxy.example:3128}
     * @throws IllegalArgumentException if it is not of the form host:port
     */
    public HttpTargetBuilder proxy(String hostAndPort) {
        this.proxy = ProxyAddress.of(hostAndPort, null);
        return this;
    }

    /**
     * Connects through an HTTP proxy that requires Basic authentication (RFC 7617). Default: no proxy.
     *
     * @param hostAndPort such as {@code proxy.example:3128}
     * @param user not empty, without a colon
     * @param password any characters
     * @throws IllegalArgumentException if the address is not of the form host:port, or the user is invalid
     */
    public HttpTargetBuilder proxy(String hostAndPort, String user, String password) {
        this.proxy = ProxyAddress.of(hostAndPort, ProxyAddress.basic(user, password));
        return this;
    }

    /**
     * Sets the trusted certificates and the client certificate for https. Files are read by {@link #build}, and again when
     * they change: new connections then use the new content, and older connections are not reused. Default: {@link
     * Tls#platform}.
     *
     * @throws IllegalArgumentException if the url of the target begins with http://
     */
    public HttpTargetBuilder tls(Tls configuration) {
        if (!address.secure()) {
            throw new IllegalArgumentException(
                    "tls applies to https only, and the url of this target begins with http://: use https:// or remove tls");
        }
        this.tls = configuration;
        return this;
    }

    /**
     * Sets the HTTP version. Default: {@link HttpVersion#AUTO}; through a proxy, AUTO uses HTTP/1.1.
     *
     * @throws IllegalArgumentException for HTTP/2 with an http:// url: HTTP/2 is negotiated by TLS (ALPN)
     */
    public HttpTargetBuilder version(HttpVersion httpVersion) {
        if (httpVersion == HttpVersion.HTTP_2 && !address.secure()) {
            throw new IllegalArgumentException(
                    "HTTP/2 needs https, and the url of this target begins with http://: use https:// or remove the version");
        }
        given.note("version");
        this.version = httpVersion;
        return this;
    }

    /**
     * Registers a listener for the times of each exchange. It runs on the calling thread after the exchange and should be
     * fast. Its exceptions do not affect the call; the first is logged. Default: none. {@link HttpTarget#times} always returns
     * the sums.
     */
    public HttpTargetBuilder monitor(Consumer<? super ExchangeTimes> listener) {
        this.monitor = listener;
        return this;
    }

    /**
     * Builds the target. Connections are opened on demand.
     *
     * @throws IllegalArgumentException if a file of {@link #tls} cannot be read, or HTTP/2 is combined with a proxy; the
     *     message, one line, says what to do
     */
    public HttpTarget build() {
        return build(Ticker.SYSTEM);
    }

    HttpTarget build(Ticker ticker) {
        TargetLimits limits =
                new TargetLimits(poolMax, poolWait, idle, maxAge, connectTimeout, responseTimeout, maxAnswer);
        ExchangeMonitor times = new ExchangeMonitor(address.where(), monitor);
        TlsMaterial material =
                address.secure() ? (tls == null ? Tls.platform() : tls).open(ticker, InstantSource.system()) : null;
        TargetAccess access = new TargetAccess(proxy, material, total);
        Exchange exchange = exchange(limits, access, times, ticker);
        HttpTargetSettings live = new HttpTargetSettings(settings(), material, exchange.settings());
        return new HttpTarget(address, sourcePath, new FixedHeaders(fixed, changing), exchange, times, live);
    }

    private Exchange exchange(TargetLimits limits, TargetAccess access, ExchangeMonitor times, Ticker ticker) {
        if (version == HttpVersion.HTTP_2 && proxy != null) {
            // HttpCore's reactor, which reads and writes HTTP/2, only knows SOCKS proxies.
            throw new IllegalArgumentException(
                    "HTTP/2 through a proxy is not supported: remove the version or the proxy");
        }
        if (version == HttpVersion.HTTP_2 && HttpCoreVersion.WITHOUT_HTTP2 != null) {
            throw new IllegalArgumentException(HttpCoreVersion.WITHOUT_HTTP2 + ", or remove the version");
        }
        if (!mayUseHttp2()) {
            return new PooledExchange(address, limits, access, times, ticker);
        }
        Http2Exchange http2 = new Http2Exchange(address, limits, access.contexts(), times);
        return version == HttpVersion.HTTP_2
                ? http2
                : new NegotiatedExchange(
                        http2, () -> new PooledExchange(address, limits, access, times, ticker), ticker);
    }

    private boolean mayUseHttp2() {
        return address.secure()
                && proxy == null
                && version != HttpVersion.HTTP_1_1
                && HttpCoreVersion.WITHOUT_HTTP2 == null;
    }

    private List<Setting> settings() {
        String times = BuilderValues.times(BuilderValues.MIN_TIME);
        List<Setting> all = new ArrayList<>();
        all.add(given.setting(
                "pool.max",
                poolMax == null ? "auto" : Integer.toString(poolMax),
                "1..100000",
                "connections in use at a time; the flow's limit should take effect first"));
        all.add(given.setting(
                "pool.wait",
                Durations.format(poolWait),
                times,
                "a call that waits longer for a connection is rejected"));
        all.add(given.setting("pool.idle", words(idle), times, "a connection idle for longer is closed"));
        all.add(given.setting(
                "pool.max_age",
                maxAge == null ? "any" : Durations.format(maxAge),
                times,
                "an older connection is not reused"));
        all.add(given.setting(
                "pool.connect_timeout",
                Durations.format(connectTimeout),
                times,
                "time limit for DNS lookup, TCP connect and TLS handshake"));
        all.add(given.setting(
                "pool.response_timeout",
                words(responseTimeout),
                times,
                "time limit of an exchange without an earlier deadline"));
        all.add(given.setting(
                "pool.max_answer", maxAnswer + " bytes", "1..1073741824 bytes", "answers are held in memory"));
        if (address.secure()) {
            String why = HttpCoreVersion.WITHOUT_HTTP2;
            all.add(given.setting(
                    "version",
                    version.word(),
                    "auto, 1.1, 2",
                    why == null ? "auto uses HTTP/2 if the target offers it" : "auto uses HTTP/1.1: " + why));
        }
        if (proxy != null) {
            given.note("proxy");
            all.add(given.setting("proxy", proxy.toString(), "host:port", "all connections go through this proxy"));
        }
        if (total != null) {
            given.note("pool.total");
            String reason = "limits the connections of all targets together, in use or idle";
            all.add(given.setting("pool.total", Integer.toString(total.max()), "1..1000000", reason));
        }
        return List.copyOf(all);
    }

    private static String words(@Nullable Duration time) {
        return time == null ? "auto" : Durations.format(time);
    }
}
