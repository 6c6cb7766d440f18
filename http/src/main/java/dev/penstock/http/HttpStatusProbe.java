package dev.penstock.http;

import dev.penstock.Answered;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Settled;
import dev.penstock.StatusProbe;
import dev.penstock.Unknown;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks over HTTP what became of a call, by a reference in one of its header fields: gets a URL in which the reference fills
 * a place. Safe for many threads.
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
 * <h2>What an answer means</h2>
 *
 * <p>200: the transaction is there, and this answer becomes the answer of the call, unchanged. The not-there status, 404
 * unless given: it is not, and may be sent again. So give a URL that answers 200 for a transaction that took effect or was
 * refused for good, and for nothing that is still under way. Any other status, a redirect among them, and no answer at all
 * leave it unknown still.
 *
 * <p>The reference travels as it stands on the wire, percent-encoded (RFC 3986 section 2.1) but for letters, digits and
 * {@code -._~}. A call without the header field, or with an empty one, is not asked of. No other field of the call goes
 * along; what every question shall carry, such as Authorization, is given to the probe or to its target.
 */
public final class HttpStatusProbe implements StatusProbe<HttpCall, HttpAnswer>, AutoCloseable {
    private static final int THERE = 200;
    private static final int NO_CONTENT = 204;
    private static final int NOT_FOUND = 404;
    /** Unauthorized, forbidden, proxy authentication, request timeout, too early, too many: about who asks, and when. */
    private static final Set<Integer> OF_THE_QUESTION = Set.of(401, 403, 407, 408, 425, 429);

    private static final int MOST_QUESTIONS = 32;
    private static final Duration LONGEST_QUESTION = Duration.ofSeconds(10);

    private final HttpTarget target;
    private final boolean own;
    private final ReferencePath path;
    private final @Nullable Integer notThere;
    private final Instant since = Instant.now();

    private HttpStatusProbe(HttpTarget target, boolean own, ReferencePath path, @Nullable Integer notThere) {
        this.target = target;
        this.own = own;
        this.path = path;
        this.notThere = notThere;
    }

    /**
     * A probe with connections of its own: at most 32 questions at once, each at most 10 s. Opens none yet.
     *
     * @param url http or https, with at least one place behind the host that names a header field between braces
     * @throws IllegalArgumentException when it is no such URL, with one line that says what to write
     */
    public static HttpStatusProbe at(String url) {
        return at(url, Headers.none());
    }

    /**
     * As {@link #at(String)}, with header fields that every question carries, such as Authorization.
     *
     * @throws IllegalArgumentException also when a field is one that {@link HttpTargetBuilder#header} refuses
     */
    public static HttpStatusProbe at(String url, Headers fixed) {
        int end = Math.min(url.length(), url.indexOf("://") + 3);
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        String origin = url.substring(0, end);
        if (origin.indexOf('{') >= 0) {
            throw new IllegalArgumentException("the status url " + origin
                    + " has a place before its path, so a request could choose the host: put it into path or query");
        }
        HttpTargetBuilder target = HttpTarget.at(origin).poolMax(MOST_QUESTIONS).responseTimeout(LONGEST_QUESTION);
        fixed.forEach(field -> target.header(field.name(), field.value()));
        String rest = url.substring(end);
        ReferencePath path = ReferencePath.of(rest.startsWith("/") ? rest : "/" + rest);
        return new HttpStatusProbe(target.build(), true, path, null);
    }

    /**
     * A probe over the connections, and with the fixed header fields, of a target: that of the flow, or one made for this.
     * Its bounds hold for the questions.
     *
     * @param target which host to ask; closing the probe does not close it
     * @param path a path of that host, with a query if there is one, wherever calls of the target go; at least one place
     *     in it names a header field between braces
     * @throws IllegalArgumentException when it is no such path, with one line that says what to write
     */
    public static HttpStatusProbe over(HttpTarget target, String path) {
        return new HttpStatusProbe(target, false, ReferencePath.of(path), null);
    }

    /**
     * This probe, on the same connections, with another status that means "not there".
     *
     * @param status 204, or 400 to 499 but for those that tell of the question and not of the transaction: 401, 403, 407,
     *     408, 425 and 429. Default: 404
     * @throws IllegalArgumentException when it is another
     */
    public HttpStatusProbe notThere(int status) {
        if (!mayMeanNotThere(status)) {
            throw new IllegalArgumentException("the status for not there is 204, or 400 to 499 but for those that tell"
                    + " of the question (401, 403, 407, 408, 425, 429), not " + status);
        }
        return new HttpStatusProbe(target, own, path, status);
    }

    /** Whether a status can mean "not there", see {@link #notThere}. */
    public static boolean mayMeanNotThere(int status) {
        return status == NO_CONTENT || (status >= 400 && status <= 499 && !OF_THE_QUESTION.contains(status));
    }

    @Override
    public boolean canAskOf(HttpCall call) {
        return path.filled(call) != null;
    }

    /**
     * Asks once.
     *
     * @throws Rejected as {@link HttpTarget#call} does
     * @throws Failed as {@link HttpTarget#call} does
     * @throws Unknown as {@link HttpTarget#call} does
     */
    @Override
    public Settled<HttpAnswer> ask(HttpCall call) throws Rejected, Failed, Unknown {
        String filled = path.filled(call);
        if (filled == null) {
            return new Settled.StillUnknown<>("the call bears no reference to ask by");
        }
        HttpAnswer answer = target.get(filled);
        if (answer.status() == THERE) {
            return new Answered<>(answer);
        }
        return answer.status() == notThere()
                ? new Settled.NotThere<>()
                : new Settled.StillUnknown<>("the status probe was answered " + answer.status());
    }

    private int notThere() {
        return notThere == null ? NOT_FOUND : notThere;
    }

    /** Where it asks, without the query, which may hold a secret. */
    public String where() {
        return target.url(path.shown());
    }

    /** True: each question is an exchange of an {@link HttpTarget}. */
    @Override
    public boolean honorsDeadline() {
        return true;
    }

    @Override
    public List<Setting> settings() {
        return List.of(
                setting("settle.url", where(), "a url", "where to ask what became of a transaction", true),
                setting("settle.by", String.join(", ", path.names()), "header names", "the reference to ask by", true),
                setting(
                        "settle.not_there",
                        Integer.toString(notThere()),
                        "204, 400..499",
                        "the status that makes it safe to send again; 200 is its answer",
                        notThere != null));
    }

    private Setting setting(String name, String value, String range, String reason, boolean given) {
        return new Setting(name, value, range, reason, since, given ? Origin.FILE : Origin.DEFAULT);
    }

    /** Closes its connections, if they are its own. A question under way ends without a word. */
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
