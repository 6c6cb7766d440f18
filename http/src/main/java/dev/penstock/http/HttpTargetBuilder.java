package dev.penstock.http;

import dev.penstock.Durations;
import dev.penstock.Setting;
import dev.penstock.Ticker;
import dev.penstock.http.pool.ConnectionPool;
import dev.penstock.http.pool.ConnectionTotal;
import dev.penstock.http.pool.Proxy;
import dev.penstock.http.tls.Tls;
import dev.penstock.http.tls.TlsMaterial;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link HttpTarget}. Every method checks its argument at once and throws IllegalArgumentException with one
 * line when it is out of range. Not safe for many threads.
 */
public final class HttpTargetBuilder {

    private final Address address;
    private final BuilderValues given = new BuilderValues();
    private String sourcePath = "/";
    private Headers fixed = Headers.none();
    private @Nullable Integer poolMax;
    private Duration poolWait = Duration.ofSeconds(1);
    private @Nullable Duration idle;
    private @Nullable Duration sweep;
    private @Nullable Duration maxAge;
    private Duration connectTimeout = Duration.ofSeconds(2);
    private @Nullable Duration responseTimeout;
    private Duration validateAfter = Duration.ZERO;
    private int maxAnswer = 16 << 20;
    private @Nullable Proxy proxy;
    private @Nullable ConnectionTotal total;
    private @Nullable Consumer<? super ExchangeTimes> monitor;
    private @Nullable Tls tls;
    private HttpVersion version = HttpVersion.AUTO;
    private boolean closesAtExit;

    HttpTargetBuilder(Address address) {
        this.address = address;
    }

    /** The path that the URL stands for in calls, see {@link HttpTarget}. Default: {@code /}, every call goes below the URL. */
    public HttpTargetBuilder sourcePath(String path) {
        this.sourcePath = Paths.checked(path);
        return this;
    }

    /**
     * A header field that every request carries, in place of one of that name in the call, such as Authorization.
     *
     * @throws IllegalArgumentException as {@link Header} does, and for a field that is made anew for each request or
     *     concerns one connection only, see {@link HttpTarget}
     */
    public HttpTargetBuilder header(String name, String value) {
        Headers one = Headers.none().with(name, value);
        if (HttpTarget.travelling(one).size() == 0) {
            throw new IllegalArgumentException("header " + name + " is set by Penstock itself: leave it out");
        }
        this.fixed = fixed.with(name, value);
        return this;
    }

    /**
     * How many connections may be in use at a time. A target is one route, so this is both. 1..100000. Default: found by
     * what is carried, rate x time and room for bursts, up to 10000.
     */
    public HttpTargetBuilder poolMax(int connections) {
        this.poolMax = given.within("pool.max", connections, 1, ConnectionPool.MOST);
        return this;
    }

    /** A bound on the connections of several targets together. Default: none. */
    public HttpTargetBuilder connectionTotal(ConnectionTotal bound) {
        this.total = bound;
        return this;
    }

    /** How long a call waits for a free connection when all are in use. 1 ms..1 h, default 1 s. */
    public HttpTargetBuilder poolWait(Duration time) {
        this.poolWait = given.within("pool.wait", time, BuilderValues.SHORTEST);
        return this;
    }

    /**
     * How long a connection may lie idle before it is closed; a Keep-Alive of the target may shorten it. 1 ms..1 h. Default:
     * 1 min, and less once the target, or something on the way, was seen to end idle connections sooner.
     */
    public HttpTargetBuilder idle(Duration time) {
        this.idle = given.within("pool.idle", time, BuilderValues.SHORTEST);
        return this;
    }

    /** How often to look for connections that are idle for too long. 1 ms..1 h. Default: when the next one will be. */
    public HttpTargetBuilder sweep(Duration time) {
        this.sweep = given.within("pool.sweep", time, BuilderValues.SHORTEST);
        return this;
    }

    /**
     * How old a connection may become: an older one is not used again, so that a change of the host's addresses is followed.
     * 1 ms..1 h. Default: any age.
     */
    public HttpTargetBuilder maxAge(Duration time) {
        this.maxAge = given.within("pool.max_age", time, BuilderValues.SHORTEST);
        return this;
    }

    /** How long looking up the host, connecting and TLS may take together. 1 ms..1 h, default 2 s. */
    public HttpTargetBuilder connectTimeout(Duration time) {
        this.connectTimeout = given.within("pool.connect_timeout", time, BuilderValues.SHORTEST);
        return this;
    }

    /**
     * How long it may take from the first byte sent to the last byte of the answer. 1 ms..1 h. Default: 1 min at first, then
     * three times the longest answer of the last minutes, 5 s..1 min. A nearer deadline bounds it in any case.
     */
    public HttpTargetBuilder responseTimeout(Duration time) {
        this.responseTimeout = given.within("pool.response_timeout", time, BuilderValues.SHORTEST);
        return this;
    }

    /** How long a connection may lie idle and still be used without a look whether it is open. 0..1 h, default 0. */
    public HttpTargetBuilder validateAfter(Duration time) {
        this.validateAfter = given.within("pool.validate_after", time, Duration.ZERO);
        return this;
    }

    /** How many bytes the body of an answer may have. 1..1 GiB, default 16 MiB. */
    public HttpTargetBuilder maxAnswer(int bytes) {
        this.maxAnswer = given.within("pool.max_answer", bytes, 1, 1 << 30);
        return this;
    }

    /**
     * An HTTP proxy to go through: it opens a way through for https (CONNECT), and passes plain requests on. Default: none.
     *
     * @param hostAndPort such as {@code proxy.example:3128}
     * @throws IllegalArgumentException when it is not that
     */
    public HttpTargetBuilder proxy(String hostAndPort) {
        this.proxy = ProxyAddress.of(hostAndPort, null);
        return this;
    }

    /**
     * An HTTP proxy to go through that wants a user and a password (Basic, RFC 7617). Default: none.
     *
     * @param hostAndPort such as {@code proxy.example:3128}
     * @param user without a colon
     * @param password any
     * @throws IllegalArgumentException when the address or the user is not that
     */
    public HttpTargetBuilder proxy(String hostAndPort, String user, String password) {
        this.proxy = ProxyAddress.of(hostAndPort, ProxyAddress.basic(user, password));
        return this;
    }

    /**
     * Whom to trust and what to present, for https. Read when the target is built, and again when a file changes: new
     * connections go by it, and those that were opened before are not used again. Default: {@link Tls#platform}.
     *
     * @throws IllegalArgumentException for a target of http
     */
    public HttpTargetBuilder tls(Tls how) {
        if (!address.secure()) {
            throw new IllegalArgumentException("tls is for https: the url of this target begins with http://");
        }
        this.tls = how;
        return this;
    }

    /**
     * Which version of HTTP to speak. Default: {@link HttpVersion#AUTO}; through a proxy that is HTTP/1.1.
     *
     * @throws IllegalArgumentException for HTTP/2 to a target of http: what it speaks is found out by TLS (ALPN)
     */
    public HttpTargetBuilder version(HttpVersion which) {
        if (which == HttpVersion.HTTP_2 && !address.secure()) {
            throw new IllegalArgumentException(
                    "HTTP/2 is for https: the url of this target begins with http://; leave the version out");
        }
        given.note("version");
        this.version = which;
        return this;
    }

    /**
     * Tells of each exchange where its time went, on the thread that called, when it has ended. It should be quick; what it
     * throws changes nothing, and is logged once. Default: nobody; {@link HttpTarget#times} adds them up in any case.
     */
    public HttpTargetBuilder monitor(Consumer<? super ExchangeTimes> listener) {
        this.monitor = listener;
        return this;
    }

    /** Closes the target when the JVM exits, unless it was closed before. Default: whoever made it closes it. */
    public HttpTargetBuilder closeAtExit() {
        this.closesAtExit = true;
        return this;
    }

    /**
     * The target. Opens no connection yet.
     *
     * @throws IllegalArgumentException when a file of {@link #tls} cannot be read, with one line that says what to do
     */
    public HttpTarget build() {
        return build(Ticker.SYSTEM);
    }

    HttpTarget build(Ticker ticker) {
        TargetLimits limits = new TargetLimits(
                poolMax, poolWait, idle, sweep, maxAge, connectTimeout, responseTimeout, validateAfter, maxAnswer);
        ExchangeMonitor times = new ExchangeMonitor(monitor);
        TlsMaterial material =
                address.secure() ? (tls == null ? Tls.platform() : tls).open(ticker, InstantSource.system()) : null;
        TargetAccess access = new TargetAccess(proxy, material, total);
        Exchange exchange = exchange(limits, access, times, ticker);
        HttpTargetSettings live = new HttpTargetSettings(settings(), material, exchange.settings());
        ShutdownHook hook = closesAtExit ? ShutdownHook.running(exchange::close) : null;
        return new HttpTarget(address, sourcePath, fixed, exchange, times, live, hook);
    }

    private Exchange exchange(TargetLimits limits, TargetAccess access, ExchangeMonitor times, Ticker ticker) {
        if (version == HttpVersion.HTTP_2 && proxy != null) {
            throw new IllegalArgumentException("HTTP/2 does not go through a proxy yet: leave out one of the two");
        }
        if (!address.secure() || proxy != null || version == HttpVersion.HTTP_1_1) {
            return new PooledExchange(address, limits, access, times, ticker);
        }
        Http2Exchange http2 = new Http2Exchange(address, limits, access.contexts(), times);
        return version == HttpVersion.HTTP_2
                ? http2
                : new NegotiatedExchange(
                        http2, () -> new PooledExchange(address, limits, access, times, ticker), ticker);
    }

    private List<Setting> settings() {
        String times = "1 ms..1 h";
        List<Setting> all = new ArrayList<>();
        all.add(given.setting(
                "pool.max",
                poolMax == null ? "auto" : Integer.toString(poolMax),
                "1..100000",
                "connections in use at a time; a flow's limit is meant to bind first"));
        all.add(given.setting(
                "pool.wait",
                Durations.words(poolWait),
                times,
                "a call that waits longer for a connection is rejected"));
        all.add(given.setting("pool.idle", words(idle), times, "a connection is closed after lying idle that long"));
        all.add(given.setting(
                "pool.sweep",
                sweep == null ? "when one is due" : Durations.words(sweep),
                times,
                "how often connections that are idle for too long are looked for"));
        all.add(given.setting(
                "pool.max_age",
                maxAge == null ? "any" : Durations.words(maxAge),
                times,
                "an older connection is not used again"));
        all.add(given.setting(
                "pool.connect_timeout",
                Durations.words(connectTimeout),
                times,
                "a target that cannot be reached is noticed in that time"));
        all.add(given.setting(
                "pool.response_timeout",
                words(responseTimeout),
                times,
                "bounds an exchange that has no nearer deadline"));
        all.add(given.setting(
                "pool.validate_after",
                validateAfter.isZero() ? "0 (always)" : Durations.words(validateAfter),
                "0..1 h",
                "a look before use costs less than a microsecond and spares a transaction without an answer"));
        all.add(given.setting(
                "pool.max_answer", maxAnswer + " bytes", "1..1073741824 bytes", "answers are held in memory"));
        if (address.secure()) {
            all.add(given.setting(
                    "version", version.word(), "auto, 1.1, 2", "auto takes HTTP/2 where the target offers it"));
        }
        if (proxy != null) {
            given.note("proxy");
            all.add(given.setting("proxy", proxy.toString(), "host:port", "every connection goes through it"));
        }
        if (total != null) {
            given.note("pool.total");
            String reason = "connections of all targets together, in use or idle";
            all.add(given.setting("pool.total", Integer.toString(total.most()), "1..1000000", reason));
        }
        return List.copyOf(all);
    }

    private static String words(@Nullable Duration time) {
        return time == null ? "auto" : Durations.words(time);
    }
}
