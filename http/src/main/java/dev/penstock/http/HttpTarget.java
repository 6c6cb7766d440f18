package dev.penstock.http;

import dev.penstock.CallContext;
import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.LiveSetting;
import dev.penstock.Observation;
import dev.penstock.Rejected;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.Unknown;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.http.internal.Paths;
import dev.penstock.memory.MemoryBudget;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends the calls of a flow to an HTTP server: over pooled, persistent HTTP/1.1 connections, or over HTTP/2 where the server
 * offers it. Calls block; use virtual threads. Interrupting the thread ends its call at once. Thread-safe.
 *
 * <pre>{@code
 * try (var gateway = HttpTarget.of("https://gateway.example/v1/transactions")) {
 *     HttpAnswer answer = gateway.call(HttpCall.post("/", xml).withHeader("Idempotency-Key", id));
 * }
 * }</pre>
 *
 * <h2>Request URL</h2>
 *
 * <p>The path of the call is appended to the URL: with {@code https://gw/v1}, a call to {@code /prices/4} goes to {@code
 * /v1/prices/4}, and a call to {@code /} goes to {@code /v1}. With {@link HttpTargetBuilder#sourcePath} the URL replaces that
 * path: with source path {@code /v1/payments} and URL {@code https://gw/v1/transactions}, a call to {@code /v1/payments/123}
 * goes to {@code /v1/transactions/123}. The query of the call is kept unless the URL has a query.
 *
 * <h2>What is sent</h2>
 *
 * <p>Each request is sent at most once: no retries, redirects, cookies, decompression or headers added by a library. Header
 * fields are sent unchanged, including {@code Idempotency-Key}, with these exceptions: hop-by-hop fields are removed (RFC 9110
 * section 7.6.1); {@code Host} and {@code Content-Length} are written anew; {@code Expect} is removed, because the body is
 * already in memory; {@code Penstock-Deadline-Ms} is set to the whole milliseconds left (at least 1) if the calling thread
 * has a {@link Deadline}, and removed otherwise; the fields of a trace are replaced if an {@link Observation} passes one on.
 */
public final class HttpTarget implements Target<HttpCall, HttpAnswer> {
    private final Address address;
    /** Null if every call goes to the path of the address. */
    private final @Nullable String sourcePath;

    private final FixedHeaders fixed;
    private final Exchange exchange;
    private final ExchangeMonitor monitor;
    private final HttpTargetSettings settings;
    private final MemoryBudget memory = MemoryBudget.current();

    HttpTarget(
            Address address,
            @Nullable String sourcePath,
            FixedHeaders fixed,
            Exchange exchange,
            ExchangeMonitor monitor,
            HttpTargetSettings settings) {
        this.address = address;
        this.sourcePath = sourcePath;
        this.fixed = fixed;
        this.exchange = exchange;
        this.monitor = monitor;
        this.settings = settings;
    }

    /**
     * Creates a target with default settings. Connections are opened on demand.
     *
     * @param url http or https, with a host, without user information or fragment
     * @throws IllegalArgumentException if the URL is invalid; the message, one line, says what to write
     */
    public static HttpTarget of(String url) {
        return at(url).build();
    }

    /** Returns a builder. Throws the exceptions of {@link #of}. */
    public static HttpTargetBuilder at(String url) {
        return new HttpTargetBuilder(Address.of(url));
    }

    /**
     * Sends a request and waits for the answer, whatever its status.
     *
     * @throws Rejected nothing was sent. {@code DEADLINE}: the deadline expired. {@code POOL}: no connection became free in
     *     time, or the thread was interrupted before it had one (the interrupt status stays set). {@code DRAINING}: the target
     *     is closed
     * @throws Failed the target received nothing. {@code CONNECT}: unknown host, connection refused, connect timeout, TLS
     *     handshake failure, or the proxy rejected the request. {@code REFUSED}: the path of the call is outside the source
     *     path, or a configured header has no value that can be sent
     * @throws Unknown the request was sent, at least in part. {@code TIMEOUT}: no complete answer in time. {@code CLOSED}: the
     *     connection was closed or reset first. {@code GARBLED}: the answer is malformed or too large. {@code INTERRUPTED}:
     *     the thread was interrupted (the interrupt status stays set)
     */
    @Override
    public HttpAnswer call(HttpCall call) throws Rejected, Failed, Unknown {
        Observation observation = CallContext.currentObservation();
        HttpCall sent = call.to(pathFor(call), headersFor(call, observation));
        if (observation == null || !observation.readsAttributes()) {
            return send(sent);
        }
        TraceFields.describe(sent, address, observation);
        HttpAnswer answer = send(sent);
        observation.attribute("http.response.status_code", answer.status());
        return answer;
    }

    /** The memory of the answer stays reserved until the transaction ends or, without a transaction, until this returns. */
    private HttpAnswer send(HttpCall call) throws Rejected, Failed, Unknown {
        if (call.memory() != null) {
            return exchange.send(call, Deadline.current());
        }
        try (MemoryBudget.Lease lease = memory.lease()) {
            lease.holdAtLeast(call.body().length);
            return exchange.send(call.received(call.body(), lease), Deadline.current());
        }
    }

    /**
     * Sends a GET for a path of the host, regardless of the path of this target; for a status probe. Throws the exceptions of
     * {@link #call}.
     */
    HttpAnswer get(String path) throws Rejected, Failed, Unknown {
        return send(HttpCall.get(path).withHeaders(fixed.now()));
    }

    /**
     * Returns a target for another path of the same host. It shares the connections, limits and fixed header fields of this
     * target, and every call goes to that path. Closing either closes both.
     *
     * @param path begins with a slash; may have a query
     * @throws IllegalArgumentException if {@link HttpCall#of} rejects the path
     */
    public HttpTarget on(String path) {
        return new HttpTarget(address.at(HttpCall.get(path).path()), null, fixed, exchange, monitor, settings);
    }

    /**
     * Returns a target for the whole host: the path and query of a call are those of the request, as with the URL {@code
     * https://host/}. It shares the connections, limits and fixed header fields of this target. Closing either closes both.
     */
    public HttpTarget onHost() {
        return new HttpTarget(address.at("/"), "/", fixed, exchange, monitor, settings);
    }

    /** Returns the URL of a path of the host. */
    String url(String path) {
        return address.on(path);
    }

    private String pathFor(HttpCall call) throws Failed {
        String path = Paths.withoutQuery(call.path());
        String query =
                path.length() == call.path().length() ? null : call.path().substring(path.length() + 1);
        return address.pathFor(sourcePath == null ? "" : rest(path, sourcePath), query);
    }

    private static String rest(String path, String sourcePath) throws Failed {
        String rest = Paths.rest(path, sourcePath);
        if (rest == null) {
            throw new Failed(
                    Failed.Cause.REFUSED,
                    "the path of the call is not under " + sourcePath
                            + ", the source path of this target; correct the path or the source path");
        }
        return rest;
    }

    private Headers headersFor(HttpCall call, @Nullable Observation observation) throws Failed {
        Headers own = observation == null ? fixed.now() : TraceFields.added(fixed.now(), observation);
        // A state belongs to its parent.
        boolean traced = observation != null && own.has("traceparent");
        return call.headers()
                .endToEnd(
                        field -> isSetByTarget(field) || own.has(field.name()) || (traced && field.is("tracestate")),
                        own);
    }

    static Headers forwarded(Headers headers) {
        return headers.endToEnd(HttpTarget::isSetByTarget, Headers.none());
    }

    private static boolean isSetByTarget(Header field) {
        return field.is("Host") || field.is("Content-Length") || field.is("Expect") || field.is(Header.DEADLINE);
    }

    @Override
    public String where() {
        return address.where();
    }

    @Override
    public List<Setting> settings() {
        List<LiveSetting> pinnable = exchange.pinnable();
        return settings.with(exchange.settings()).stream()
                .map(setting -> asPinned(setting, pinnable))
                .toList();
    }

    private static Setting asPinned(Setting setting, List<LiveSetting> pinnable) {
        return pinnable.stream()
                .filter(live -> live.name().equals(setting.name()))
                .map(LiveSetting::setting)
                .map(pinned -> pinned.pin() == Setting.Pin.ON ? pinned : setting.unpinned())
                .findFirst()
                .orElse(setting);
    }

    @Override
    public int maxConcurrency() {
        return exchange.maxConcurrency();
    }

    @Override
    public List<LiveSetting> pinnable() {
        return exchange.pinnable();
    }

    /**
     * Returns the time spent by all calls so far, in nanoseconds per part (named as in {@link ExchangeTimes}), and the number
     * of calls as {@code count}. Rejected calls have waiting time only.
     */
    @Override
    public Map<String, Long> times() {
        return monitor.totals();
    }

    /**
     * Current numbers: {@code leased}, {@code idle}, and {@code pending} (calls waiting for a connection). Totals since the
     * start: {@code opened} (including the TLS handshake for https); {@code found_closed} (closed by the peer while idle, and
     * therefore not used again); {@code retired} (closed by the pool: idle too long, or too old); {@code evicted} (those of
     * the retired that were closed because a connection idle for as long turned out dead); {@code stale_used} (reused
     * connections that ended before the first byte of an answer).
     */
    @Override
    public Map<String, Long> connections() {
        return exchange.connections();
    }

    @Override
    public void close() {
        exchange.close();
    }

    @Override
    public String toString() {
        return where();
    }
}
