package dev.penstock.http;

import dev.penstock.Durations;
import dev.penstock.Service;
import dev.penstock.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Builds an {@link HttpSource}. Every method checks its argument at once and throws IllegalArgumentException with one
 * line when it is out of range. Not safe for many threads.
 */
public final class HttpSourceBuilder {
    private static final int DEFAULT_BODY = 1 << 20;
    /** Measured: two buffers of 8 KiB, the rest is small. */
    private static final int BYTES_OF_CONNECTION = 20 << 10;

    private static final int PART_FOR_CONNECTIONS = 8;
    private static final int FEWEST = 64;
    private static final int MOST = 10_000;

    private final int port;
    private final List<Route> routes = new ArrayList<>();
    private final BuilderValues given = new BuilderValues();
    private String host = "127.0.0.1";
    private int maxHeaders = 16 << 10;
    private Duration headerTime = Duration.ofSeconds(10);
    private Duration bodyTime = Duration.ofSeconds(30);
    private Duration idleTime = Duration.ofMinutes(1);
    private int maxConnections = connectionsThatFit();
    private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

    HttpSourceBuilder(int port) {
        this.port = given.within("port", port, 0, 65535);
    }

    /** The address to listen on. Default 127.0.0.1, this machine only; 0.0.0.0 for all addresses of it. */
    public HttpSourceBuilder host(String address) {
        given.note("source.host");
        this.host = address;
        return this;
    }

    /** A flow behind a path, and all paths under it, with bodies of at most 1 MiB; otherwise as the other method. */
    public HttpSourceBuilder route(String path, String flow, Service<HttpCall, HttpAnswer> service) {
        return route(path, flow, service, DEFAULT_BODY);
    }

    /**
     * A flow behind a path, and all paths under it; the longest path wins.
     *
     * @param path begins with a slash; in its normal form, as {@link HttpSource#normalPath} gives it
     * @param flow its name in answers
     * @param service the flow
     * @param maxBody bytes that the body of a request may have, 0..1 GiB
     * @throws IllegalArgumentException when the path cannot be served or is taken
     */
    public HttpSourceBuilder route(String path, String flow, Service<HttpCall, HttpAnswer> service, int maxBody) {
        Paths.checked(path);
        if (routes.stream().anyMatch(route -> Paths.areSame(route.path(), path))) {
            throw new IllegalArgumentException(
                    "path " + path + " has a flow already: give each flow a path of its own");
        }
        routes.add(new Route(path, flow, service, given.within("max_body", maxBody, 0, 1 << 30)));
        return this;
    }

    /** How many bytes the header fields of a request may have together. 1 KiB..1 MiB, default 16 KiB. */
    public HttpSourceBuilder maxHeaders(int bytes) {
        this.maxHeaders = given.within("source.max_headers", bytes, 1 << 10, 1 << 20);
        return this;
    }

    /** How long the head of a request may take from its first byte, and a new connection to send one. 10 ms..1 h, default 10 s. */
    public HttpSourceBuilder headerTime(Duration time) {
        this.headerTime = given.within("source.header_time", time, BuilderValues.SHORTEST);
        return this;
    }

    /** How long a client may take to send a body, and to receive an answer. 10 ms..1 h, default 30 s. */
    public HttpSourceBuilder bodyTime(Duration time) {
        this.bodyTime = given.within("source.body_time", time, BuilderValues.SHORTEST);
        return this;
    }

    /** How long a connection may lie idle after an answer. 10 ms..1 h, default 1 min. */
    public HttpSourceBuilder idleTime(Duration time) {
        this.idleTime = given.within("source.idle_time", time, BuilderValues.SHORTEST);
        return this;
    }

    private static int connectionsThatFit() {
        long bytes = Runtime.getRuntime().maxMemory() / PART_FOR_CONNECTIONS;
        return Math.clamp(bytes / BYTES_OF_CONNECTION, FEWEST, MOST);
    }

    /**
     * How many clients may be connected. When one more comes, another connection is closed: one that is slow or idle, first of
     * the address that has more than half of all. While all are used, 32 more are let in, and further ones wait, up to 1024, in
     * the system's queue.
     * 1..100000; default: as many as fit into an eighth of the largest heap, 64 to 10000.
     */
    public HttpSourceBuilder maxConnections(int connections) {
        this.maxConnections = given.within("source.max_connections", connections, 1, 100_000);
        return this;
    }

    /** What spreads Retry-After. Must be safe for many threads. Default: one of the thread's own. */
    public HttpSourceBuilder random(RandomGenerator generator) {
        this.random = generator;
        return this;
    }

    /**
     * The source, which does not listen yet.
     *
     * @throws IllegalArgumentException when it has no route
     */
    public HttpSource build() {
        if (routes.isEmpty()) {
            throw new IllegalArgumentException("a source needs a route: say which path leads to which flow");
        }
        List<Route> longestFirst = new ArrayList<>(routes);
        longestFirst.sort(
                Comparator.comparingInt((Route route) -> route.path().length()).reversed());
        return new HttpSource(port, host, limits(), random, List.copyOf(longestFirst), settings());
    }

    private SourceLimits limits() {
        return new SourceLimits(maxHeaders, headerTime, bodyTime, idleTime, maxConnections);
    }

    private List<Setting> settings() {
        String times = "10 ms..1 h";
        return List.of(
                given.setting("source.host", host, "an address of this machine", "who may connect"),
                given.setting(
                        "source.max_connections",
                        Integer.toString(maxConnections),
                        "1..100000",
                        "each takes about 20 kB; for a further client a slow or idle connection is closed"),
                given.setting(
                        "source.max_headers",
                        maxHeaders + " bytes",
                        "1024..1048576 bytes",
                        "the head of a request is held in memory"),
                given.setting(
                        "source.header_time",
                        Durations.words(headerTime),
                        times,
                        "a client that sends its request slower is cut"),
                given.setting(
                        "source.body_time",
                        Durations.words(bodyTime),
                        times,
                        "a client that sends its body or takes its answer slower is cut"),
                given.setting(
                        "source.idle_time",
                        Durations.words(idleTime),
                        times,
                        "a connection without a request is closed after that time"));
    }
}
