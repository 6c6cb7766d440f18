package dev.penstock.http;

import dev.penstock.Answered;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.StatusProbe;
import dev.penstock.StatusProbe.Settled;
import dev.penstock.Unknown;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Queries the outcome of a call over HTTP: sends a GET to a URL whose placeholders are filled with header fields of the call,
 * such as its idempotency key. Thread-safe.
 *
 * <pre>{@code
 * try (var gateway = HttpTarget.of("https://gateway.example/v1/payments");
 *         var status = HttpStatusProbe.at("https://gateway.example/v1/payments?reference={Idempotency-Key}")) {
 *     Flow<HttpCall, HttpAnswer> payments = Flow.named("payments")
 *             .deadline(Duration.ofSeconds(10))
 *             .retry(Retry.whenNotSent())
 *             .to(gateway, Settle.by(status));
 * }
 * }</pre>
 *
 * <h2>Meaning of the answer</h2>
 *
 * <ul>
 *   <li>200: the transaction exists. This answer, unchanged, becomes the answer of the call.
 *   <li>The not-there status, by default 404: the transaction does not exist and may be sent again.
 *   <li>Any other status, including redirects, and no answer: the outcome stays unknown.
 * </ul>
 *
 * <p>So the URL must return 200 only for transactions that took effect or were refused permanently, not for those in progress.
 *
 * <p>The value of the header field is percent-encoded (RFC 3986 section 2.1) except for letters, digits and {@code -._~}. For a
 * call without the header field, or with an empty one, no query is sent. Other fields of the call are not sent; fixed fields,
 * such as Authorization, are configured on the probe or its target.
 */
public final class HttpStatusProbe implements StatusProbe<HttpCall, HttpAnswer>, AutoCloseable {
    private static final int EXISTS = 200;
    private static final int NO_CONTENT = 204;
    /** The default of {@link #absentStatus}: {@value}. */
    public static final int NOT_FOUND = 404;
    /** Statuses that concern the query instead of the transaction: authentication, authorization, timeout, rate limit. */
    private static final Set<Integer> ABOUT_THE_QUERY = Set.of(401, 403, 407, 408, 425, 429);

    private static final int MAX_CONCURRENT = 32;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpTarget target;
    private final boolean own;
    private final ReferencePath path;
    private final @Nullable Integer absentStatus;
    private final Instant since = Instant.now();

    private HttpStatusProbe(HttpTarget target, boolean own, ReferencePath path, @Nullable Integer absentStatus) {
        this.target = target;
        this.own = own;
        this.path = path;
        this.absentStatus = absentStatus;
    }

    /**
     * Creates a probe with its own connections, opened on demand: at most 32 concurrent queries of at most 10 s each.
     *
     * @param url http or https, with at least one placeholder after the host: a header name in braces
     * @throws IllegalArgumentException if the URL is invalid; the message, one line, says what to write
     */
    public static HttpStatusProbe at(String url) {
        return at(url, Map.of());
    }

    /**
     * Like {@link #at(String)}, with header fields for every query, such as Authorization.
     *
     * @param fixed the values by name, as for {@link HttpTargetBuilder#header(String, Supplier)}
     * @throws IllegalArgumentException also if {@link HttpTargetBuilder#header(String, String)} rejects a field
     */
    public static HttpStatusProbe at(String url, Map<String, ? extends Supplier<String>> fixed) {
        int end = Math.min(url.length(), url.indexOf("://") + 3);
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        String origin = url.substring(0, end);
        if (origin.indexOf('{') >= 0) {
            throw new IllegalArgumentException(
                    "the status url " + origin
                            + " has a placeholder before its path, so a request could choose the host: move it to path or query");
        }
        HttpTargetBuilder target = HttpTarget.at(origin).poolMax(MAX_CONCURRENT).responseTimeout(TIMEOUT);
        fixed.forEach(target::header);
        String rest = url.substring(end);
        ReferencePath path = ReferencePath.of(rest.startsWith("/") ? rest : "/" + rest);
        return new HttpStatusProbe(target.build(), true, path, null);
    }

    /**
     * Creates a probe that uses the connections, limits and fixed header fields of a target.
     *
     * @param target the target of the flow, or another; the probe does not close it
     * @param path a path of its host, may have a query, independent of the path of the target; with at least one placeholder: a
     *     header name in braces
     * @throws IllegalArgumentException if the path is invalid; the message, one line, says what to write
     */
    public static HttpStatusProbe over(HttpTarget target, String path) {
        return new HttpStatusProbe(target, false, ReferencePath.of(path), null);
    }

    /**
     * Returns a probe on the same connections with another status that means that the transaction does not exist.
     *
     * @param status 204, or 400 to 499 except those that concern the query instead of the transaction: 401, 403, 407, 408, 425
     *     and 429. Default: 404
     * @throws IllegalArgumentException for any other status
     */
    public HttpStatusProbe absentStatus(int status) {
        if (!mayMeanAbsent(status)) {
            throw new IllegalArgumentException("the not-there status must be 204, or 400 to 499 except those about the"
                    + " query (401, 403, 407, 408, 425, 429), not " + status);
        }
        return new HttpStatusProbe(target, own, path, status);
    }

    /** Whether a status can mean that the transaction does not exist, see {@link #absentStatus}. */
    public static boolean mayMeanAbsent(int status) {
        return status == NO_CONTENT || (status >= 400 && status <= 499 && !ABOUT_THE_QUERY.contains(status));
    }

    @Override
    public boolean canAskOf(HttpCall call) {
        return path.filled(call) != null;
    }

    /**
     * Sends one query.
     *
     * @throws Rejected see {@link HttpTarget#call}
     * @throws Failed see {@link HttpTarget#call}
     * @throws Unknown see {@link HttpTarget#call}
     */
    @Override
    public Settled<HttpAnswer> ask(HttpCall call) throws Rejected, Failed, Unknown {
        String filled = path.filled(call);
        if (filled == null) {
            return new Settled.StillUnknown<>("the call has no header field for the status query");
        }
        HttpAnswer answer = target.get(filled);
        if (answer.status() == EXISTS) {
            return new Answered<>(answer);
        }
        return answer.status() == absentStatus()
                ? new Settled.NotThere<>()
                : new Settled.StillUnknown<>("the status probe answered " + answer.status());
    }

    private int absentStatus() {
        return absentStatus == null ? NOT_FOUND : absentStatus;
    }

    /** Returns the URL without its query part, which may contain a secret. */
    public String where() {
        return target.url(path.shown());
    }

    /** True: each query is an exchange of an {@link HttpTarget}. */
    @Override
    public boolean honorsDeadline() {
        return true;
    }

    @Override
    public List<Setting> settings() {
        return List.of(
                setting("settle.url", where(), "a url", "the status URL of a transaction", true),
                setting(
                        "settle.by",
                        String.join(", ", path.names()),
                        "header names",
                        "the fields that identify it",
                        true),
                setting(
                        "settle.absent_status",
                        Integer.toString(absentStatus()),
                        "204, 400..499",
                        "the status that means it is safe to send again; 200 means it exists",
                        absentStatus != null));
    }

    private Setting setting(String name, String value, String range, String reason, boolean given) {
        return new Setting(name, value, range, reason, since, given ? Origin.GIVEN : Origin.DEFAULT);
    }

    /** Closes the connections if they belong to this probe. Queries in progress end without a result. */
    @Override
    public void close() {
        if (own) {
            target.close();
        }
    }

    @Override
    public String toString() {
        return where();
    }
}
