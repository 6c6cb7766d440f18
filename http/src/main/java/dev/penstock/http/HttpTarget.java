package dev.penstock.http;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.Unknown;
import dev.penstock.memory.MemoryBudget;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP server at the end of a flow, reached over pooled, persistent HTTP/1.1 connections. Blocking; meant to be
 * called on virtual threads, where an interrupt ends a call at once. Safe for many threads.
 *
 * <pre>{@code
 * try (var gateway = HttpTarget.of("https://gateway.example/v1/transactions")) {
 *     HttpAnswer answer = gateway.call(HttpCall.post("/", xml).withHeader("Idempotency-Key", id));
 * }
 * }</pre>
 *
 * <h2>Where a call goes</h2>
 *
 * <p>The path of the call is put behind the URL: with {@code https://gw/v1} a call of {@code /prices/4} goes to {@code
 * /v1/prices/4}, and a call of {@code /} to {@code /v1} itself. With {@link HttpTargetBuilder#sourcePath} the URL stands for
 * that path, and only what follows the path in a call is put behind the URL: from {@code /v1/payments} to {@code
 * https://gw/v1/transactions}, a call of {@code /v1/payments/123} goes to {@code /v1/transactions/123}. The query of a call
 * goes along when the URL has none of its own.
 *
 * <h2>What is sent</h2>
 *
 * <p>A request is sent at most once: no retry, no redirect, no cookies, no decompression, no header of a library's own.
 * Header fields travel as they are, {@code Idempotency-Key} among them, but for: those of one connection (RFC 9110
 * section 7.6.1); {@code Host} and {@code Content-Length}, which are made anew; {@code Expect}, since the body is at
 * hand; and {@code Penstock-Deadline-Ms}, which holds the whole milliseconds left, at least 1, when the calling thread is
 * under a {@link Deadline}, and is left out otherwise.
 */
public final class HttpTarget implements Target<HttpCall, HttpAnswer> {
    private final Address address;
    /** Null where every call goes to the address itself. */
    private final @Nullable String sourcePath;

    private final Headers fixed;
    private final Exchange exchange;
    private final ExchangeMonitor monitor;
    private final HttpTargetSettings settings;
    private final @Nullable ShutdownHook hook;
    private final MemoryBudget memory = MemoryBudget.current();

    HttpTarget(
            Address address,
            @Nullable String sourcePath,
            Headers fixed,
            Exchange exchange,
            ExchangeMonitor monitor,
            HttpTargetSettings settings,
            @Nullable ShutdownHook hook) {
        this.address = address;
        this.sourcePath = sourcePath;
        this.fixed = fixed;
        this.exchange = exchange;
        this.monitor = monitor;
        this.settings = settings;
        this.hook = hook;
    }

    /**
     * A target with every setting at its default. Opens no connection yet.
     *
     * @param url http or https, with a host, without user or fragment
     * @throws IllegalArgumentException when it is not such a URL, with one line that says what to write
     */
    public static HttpTarget of(String url) {
        return at(url).build();
    }

    /** A builder of a target; throws as {@link #of} does. */
    public static HttpTargetBuilder at(String url) {
        return new HttpTargetBuilder(Address.of(url));
    }

    /**
     * Sends a request and waits for its answer, of any status.
     *
     * @throws Rejected nothing was sent: {@code DEADLINE}, the time left is up; {@code POOL}, no connection came free in
     *     time, or the thread was interrupted before one was at hand (it still is); {@code DRAINING}, this is closed
     * @throws Failed nothing reached the target: {@code CONNECT}, no such host, no connection or no TLS in time, or a
     *     proxy let nothing through; {@code REFUSED}, the path of the call is not under the source path
     * @throws Unknown sent, at least in part: {@code TIMEOUT}, no whole answer in time; {@code CLOSED}, the connection
     *     ended first; {@code GARBLED}, the answer could not be read or is too large; {@code INTERRUPTED}, the thread
     *     was interrupted (it still is)
     */
    @Override
    public HttpAnswer call(HttpCall call) throws Rejected, Failed, Unknown {
        return carry(call.to(pathFor(call), headersFor(call)));
    }

    /** The memory of its answer is counted until the transaction ends; without a transaction, until it is handed over. */
    private HttpAnswer carry(HttpCall call) throws Rejected, Failed, Unknown {
        if (call.memory() != null) {
            return exchange.carry(call, Deadline.current());
        }
        try (MemoryBudget.Lease lease = memory.lease()) {
            lease.holdAtLeast(call.body().length);
            return exchange.carry(call.within(lease), Deadline.current());
        }
    }

    /** Gets a path of this target's host as it is, wherever calls go; for a status probe. Throws as {@link #call} does. */
    HttpAnswer get(String path) throws Rejected, Failed, Unknown {
        return carry(HttpCall.get(path).withHeaders(fixed));
    }

    /**
     * Another path of this target's host, over the same connections, within the same bounds and with the same fixed header
     * fields; every call of it goes there, wherever calls of this one go. Closing either closes both.
     *
     * @param path begins with a slash, with a query if there is one
     * @throws IllegalArgumentException when it is no such path, as {@link HttpCall#of} says
     */
    public HttpTarget on(String path) {
        return new HttpTarget(address.at(HttpCall.get(path).path()), null, fixed, exchange, monitor, settings, hook);
    }

    /** The URL of a path of this target's host. */
    String url(String path) {
        return address.on(path);
    }

    private String pathFor(HttpCall call) throws Failed {
        String path = HttpCall.pathOnly(call.path());
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
                            + ", which is where calls of this target come from");
        }
        return rest;
    }

    private Headers headersFor(HttpCall call) {
        Headers headers = travelling(call.headers());
        for (Header field : fixed) {
            headers = headers.with(field.name(), field.value());
        }
        return headers;
    }

    static Headers travelling(Headers headers) {
        return EndToEnd.of(headers).withoutAll(HttpTarget::isMadeAnew);
    }

    private static boolean isMadeAnew(Header field) {
        return field.is("Host")
                || field.is("Content-Length")
                || field.is("Expect")
                || field.is(HttpSource.DEADLINE_HEADER);
    }

    @Override
    public String where() {
        return address.where();
    }

    @Override
    public List<Setting> settings() {
        List<dev.penstock.LiveSetting> pinnable = exchange.pinnable();
        return settings.with(exchange.settings()).stream()
                .map(setting -> asPinned(setting, pinnable))
                .toList();
    }

    private static Setting asPinned(Setting setting, List<dev.penstock.LiveSetting> pinnable) {
        return pinnable.stream()
                .filter(live -> live.name().equals(setting.name()))
                .map(dev.penstock.LiveSetting::setting)
                .map(pinned -> pinned.pin() == Setting.Pin.ON ? pinned : setting.unpinned())
                .findFirst()
                .orElse(setting);
    }

    @Override
    public List<dev.penstock.LiveSetting> pinnable() {
        return exchange.pinnable();
    }

    /**
     * Where the time of all calls so far went, in nanoseconds by part, as {@link ExchangeTimes} names them; and {@code
     * count}, how many there were. Those that were rejected have waited at most.
     */
    @Override
    public Map<String, Long> times() {
        return monitor.totals();
    }

    /**
     * {@code leased}, {@code idle} and {@code pending} (calls that wait for one) as they are now; and since the start
     * {@code opened} (with TLS, where the URL asks for it), {@code found_closed} (by the peer, while idle, and so never
     * used again), {@code retired} (closed here, idle for too long or too old), {@code evicted} (those of them that were
     * closed because one that had been idle for as long was dead) and {@code stale_used} (kept ones that ended
     * before the first byte of an answer).
     */
    @Override
    public Map<String, Long> connections() {
        return exchange.connections();
    }

    @Override
    public void close() {
        if (hook != null) {
            hook.forget();
        }
        exchange.close();
    }

    @Override
    public String toString() {
        return where();
    }
}
