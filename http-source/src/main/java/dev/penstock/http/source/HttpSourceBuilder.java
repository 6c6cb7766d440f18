package dev.penstock.http.source;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.internal.BuilderValues;
import dev.penstock.http.internal.Paths;
import dev.penstock.http.source.Router.Route;
import dev.penstock.http.tls.ServerTls;
import dev.penstock.http.tls.TlsMaterial;
import dev.penstock.memory.MemoryBudget;
import dev.penstock.text.Cidr;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link HttpSource}. Each method validates its argument immediately and throws IllegalArgumentException, with a
 * one-line message, if it is out of range. Not thread-safe.
 */
public final class HttpSourceBuilder {
    /** The default maximum size of a request body, in bytes: {@value}. */
    public static final int DEFAULT_BODY = 1 << 20;

    /** The default of {@link #idleTime}: 1 min. */
    public static final Duration DEFAULT_IDLE_TIME = Duration.ofMinutes(1);

    /** The lower bound of {@link #idleTime}: 10 ms. */
    public static final Duration MIN_TIME = Duration.ofMillis(10);

    /** Its upper bound: 1 h. */
    public static final Duration MAX_TIME = BuilderValues.MAX_TIME;

    /** Measured: 7 KiB, 9 KiB with TLS; and two buffers of 8 KiB while bytes arrive or leave. */
    private static final int BYTES_PER_CONNECTION = 20 << 10;

    /** Connections may use an eighth of the maximum heap. */
    private static final int HEAP_FRACTION = 8;

    private static final int MIN_CONNECTIONS = 64;
    private static final int MAX_DEFAULT_CONNECTIONS = 10_000;

    private final int port;
    private final List<Route> routes = new ArrayList<>();
    private final BuilderValues given = new BuilderValues();
    private String host = "127.0.0.1";
    private Duration headerTime = Duration.ofSeconds(10);
    private Duration bodyTime = Duration.ofSeconds(30);
    private Duration idleTime = DEFAULT_IDLE_TIME;
    private int maxConnections = connectionsThatFit();
    private TrustedProxies proxies = new TrustedProxies(List.of());
    private @Nullable TrustedProxies balancers;
    private @Nullable TlsMaterial tls;
    private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

    HttpSourceBuilder(int port) {
        this.port = given.within("port", port, 0, 65535);
    }

    /** The address to listen on. Default 127.0.0.1 (this machine only); 0.0.0.0 for all interfaces. */
    public HttpSourceBuilder host(String address) {
        given.note("source.host");
        this.host = address;
        return this;
    }

    /**
     * Routes a path, and all paths under it, to a flow, with bodies of at most 1 MiB. The longest matching path wins.
     *
     * @param path begins with a slash; in the normal form returned by {@link HttpSource#normalPath}
     * @param flow the name of the flow in answers
     * @param service the flow
     * @throws IllegalArgumentException if the path is invalid or already routed
     */
    public HttpSourceBuilder route(String path, String flow, Service<HttpCall, HttpAnswer> service) {
        return route(path, flow, RequestGate.open(service), DEFAULT_BODY, List.of(), List.of());
    }

    /**
     * Routes a path like the other method, through a gate to a flow whose guarantees rest on header fields. A request whose {@code
     * Connection} names one of them, so that it would be removed, is answered 400; credentials, {@code Penstock-Deadline-Ms}, {@code
     * Via}, trace context and the fields that name the client always count as such fields.
     *
     * @param maxBody maximum size of a request body in bytes, 0..1 GiB
     * @param keys names of fields that identify a request, as of {@code dedupe} and {@code retry}: a request with two of a
     *     name, or with an empty one, is answered 400 too
     * @param others names of further fields that the flow reads
     * @throws IllegalArgumentException if the path is invalid or already routed
     */
    public HttpSourceBuilder route(
            String path, String flow, RequestGate gate, int maxBody, List<String> keys, List<String> others) {
        Paths.checked(path);
        if (routes.stream().anyMatch(route -> Paths.areSame(route.path(), path))) {
            throw new IllegalArgumentException(
                    "path " + path + " is already used by another flow: give each flow its own path");
        }
        routes.add(Route.of(path, flow, gate, given.within("max_body", maxBody, 0, 1 << 30), keys, others));
        return this;
    }

    /** Time limit for a request head, from its first byte, and for a new connection to begin one. 10 ms..1 h, default 10 s. */
    HttpSourceBuilder headerTime(Duration time) {
        this.headerTime = given.within("source.header_time", time, MIN_TIME);
        return this;
    }

    /** Time limit for a client to send a body, and to receive an answer. 10 ms..1 h, default 30 s. */
    HttpSourceBuilder bodyTime(Duration time) {
        this.bodyTime = given.within("source.body_time", time, MIN_TIME);
        return this;
    }

    /** How long a connection may be idle after an answer. 10 ms..1 h, default 1 min. */
    public HttpSourceBuilder idleTime(Duration time) {
        this.idleTime = given.within("source.idle_time", time, MIN_TIME);
        return this;
    }

    private static int connectionsThatFit() {
        long bytes = Runtime.getRuntime().maxMemory() / HEAP_FRACTION;
        return Math.clamp(bytes / BYTES_PER_CONNECTION, MIN_CONNECTIONS, MAX_DEFAULT_CONNECTIONS);
    }

    /**
     * Maximum number of client connections. When another client connects, a slow or idle connection is closed, preferably one
     * of an address that has more than half of all connections. While all connections are busy, 32 more are accepted, and up to
     * 1024 further ones wait in the operating system's backlog. 1..100000. Default: as many as fit into an eighth of the
     * maximum heap, 64 to 10000.
     */
    public HttpSourceBuilder maxConnections(int connections) {
        this.maxConnections = given.within("source.max_connections", connections, 1, 100_000);
        return this;
    }

    /**
     * Proxies in front of this source. {@code X-Forwarded-For} of one is believed and gets the proxy's own address added; other
     * {@code X-Forwarded-*}, {@code Forwarded} and {@code X-Real-IP} pass unchanged, so the proxy must set or remove them. From any other
     * client these fields are replaced by what this source knows. Default: none.
     *
     * @param blocks addresses, and blocks such as {@code 10.0.0.0/8}
     */
    public HttpSourceBuilder trustedProxies(List<String> blocks) {
        this.proxies = new TrustedProxies(blocks.stream().map(Cidr::of).toList());
        return this;
    }

    /**
     * Takes connections only from load balancers that begin each with the address of its client (<a
     * href="https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt">PROXY protocol</a>, versions 1 and 2). Others are closed.
     * Default: connections are of the clients themselves.
     *
     * @param blocks addresses, and blocks such as {@code 10.0.0.0/8}
     */
    public HttpSourceBuilder proxyProtocol(List<String> blocks) {
        this.balancers = new TrustedProxies(blocks.stream().map(Cidr::of).toList());
        return this;
    }

    /**
     * Serves HTTPS only: HTTP/2 and HTTP/1.1, as the client prefers (ALPN). The time limits of requests include the handshake:
     * within 10 s of connecting, a client must begin its first request. Changed files are used for new connections within 11 s;
     * no connection is closed. As long as they cannot be used, those of before serve, with a line in the log.
     *
     * @param files of {@link ServerTls#open}; shows the certificates in use, and what is wrong with them
     */
    public HttpSourceBuilder tls(TlsMaterial files) {
        this.tls = files;
        return this;
    }

    /** The random generator for the jitter of Retry-After. Must be thread-safe. Default: ThreadLocalRandom. */
    public HttpSourceBuilder random(RandomGenerator generator) {
        this.random = generator;
        return this;
    }

    /**
     * Builds the source. It does not listen until {@link HttpSource#start}.
     *
     * @throws IllegalArgumentException if there is no route
     */
    public HttpSource build() {
        if (routes.isEmpty()) {
            throw new IllegalArgumentException("the source has no route: add a path and its flow with route()");
        }
        List<Route> longestFirst = new ArrayList<>(routes);
        longestFirst.sort(
                Comparator.comparingInt((Route route) -> route.path().length()).reversed());
        HttpSource.Limits limits = new HttpSource.Limits(headerTime, bodyTime, idleTime, maxConnections);
        HttpSource.Listener listener = new HttpSource.Listener(port, host, limits, tls, balancers);
        FlowHandler handler =
                new FlowHandler(longestFirst, proxies, MemoryBudget.current().largest(), random);
        return new HttpSource(listener, handler, List.copyOf(longestFirst), settings());
    }

    private List<Setting> settings() {
        return List.of(
                given.setting("source.host", host, "an address of this machine", "the address to listen on"),
                given.setting(
                        "source.max_connections",
                        Integer.toString(maxConnections),
                        "1..100000",
                        "each takes about 20 kB; beyond the maximum, a slow or idle connection is closed"),
                given.setting(
                        "source.idle_time",
                        Durations.format(idleTime),
                        BuilderValues.times(MIN_TIME),
                        "a connection idle for longer is closed"));
    }
}
