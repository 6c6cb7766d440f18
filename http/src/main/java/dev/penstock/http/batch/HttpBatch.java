package dev.penstock.http.batch;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Target;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.collapse.Collapse;
import dev.penstock.collapse.BatchEndings;
import dev.penstock.http.Header;
import dev.penstock.http.Headers;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Carries many requests to a URL that takes many at once.
 *
 * <pre>{@code
 * try (var gateway = HttpTarget.of("https://gateway.example/v1/payments");
 *         var batches = HttpBatch.over(HttpTarget.of("https://gateway.example/v1/batch"), JsonBatch.array())) {
 *     Flow<HttpCall, HttpAnswer> payments = Flow.named("payments")
 *             .deadline(Duration.ofSeconds(5))
 *             .limit()
 *             .to(batches.collapse().max(50).alone(gateway));
 * }
 * }</pre>
 *
 * <h2>What travels together</h2>
 *
 * <p>Requests that the {@linkplain BatchFormat#fits format takes}, without a query, that agree in every header field but
 * those of the way (User-Agent, Via, Date, Priority, Accept-Encoding, trace context); so nobody's request is sent with the
 * credentials of another. What all have in common goes along once. A request goes alone that bears a header about its one
 * body or its one target (Range, If-Match, Content-Encoding, Digest, Signature, Expect), or one that names it, such as
 * Idempotency-Key: a batch cannot bear the key of each. {@link #inBody} says where the body bears it too.
 *
 * <h2>What the answer means</h2>
 *
 * <ul>
 *   <li>200 to 299 is taken apart by the format.
 *   <li>400 to 499 says that the target took nothing of it: {@link Failed}, cause refused, so that {@link Collapse} sends
 *       each half anew, until the request that the target will not take is alone and gets that answer itself. A URL that
 *       takes a part of a batch and then answers so must not be collapsed into, unless it is {@link #whole}.
 *   <li>401, 407, 408, 421, 425, 429, and everything from 500 on, speaks of who asks or of the target, and not of a
 *       request: each request gets that answer, as it would have alone.
 *   <li>300 to 399 tells nothing of any request: {@link Unknown}, cause garbled.
 * </ul>
 *
 * <p>Each method gives a changed copy over the same target. Safe for many threads.
 */
public final class HttpBatch implements Target<List<HttpCall>, BatchEndings<HttpAnswer>> {
    /** How many bytes the bodies of a batch have at most, as {@link #collapse} gives it: {@value}. */
    public static final long MAX_BYTES = 1 << 20;

    private static final Set<Integer> OF_THE_CALL = Set.of(401, 407, 408, 421, 425, 429);

    private final HttpTarget target;
    private final BatchFormat format;
    private final BatchCompatibility sharing;
    private final boolean halving;
    private final Origin formatOrigin;
    private final Instant since = Instant.now();

    private HttpBatch(HttpTarget target, BatchFormat format, BatchCompatibility sharing, boolean halving, Origin formatOrigin) {
        this.target = target;
        this.format = format;
        this.sharing = sharing;
        this.halving = halving;
        this.formatOrigin = formatOrigin;
    }

    /**
     * Batches to a target.
     *
     * @param target the URL that takes batches; closed with this
     * @param format {@link JsonBatch#array}, {@link JsonBatch#lines}, or one of your own
     */
    public static HttpBatch over(HttpTarget target, BatchFormat format) {
        return new HttpBatch(target, format, BatchCompatibility.STANDARD, true, Origin.FILE);
    }

    /**
     * Who chose the format, as settings shall say.
     *
     * @param who {@link Origin#FILE} (the default), or {@link Origin#DEFAULT} where the user was not asked
     */
    public HttpBatch formatOrigin(Origin who) {
        return new HttpBatch(target, format, sharing, halving, who);
    }

    /** Takes requests of one path only; what follows after it would be lost in a batch. Default: the path does not count. */
    public HttpBatch onPath(String path) {
        return with(sharing.onPath(path));
    }

    /**
     * Lets requests travel together that agree in these header fields, in Content-Type, and in whatever could be a credential
     * (Authorization, Cookie, and all with auth, token, key, secret, session, sign or cert in their name). Others may differ,
     * and then do not go along. Default: all fields but those of the way keep requests apart.
     *
     * @param headers their names; none leaves it to the credentials
     */
    public HttpBatch per(String... headers) {
        return with(sharing.per(lower(headers)));
    }

    /**
     * Header fields that name a request, such as that of {@code Retry.byKey} or of a status probe. Default: Idempotency-Key,
     * which always is one, and whatever has that word in its name.
     */
    public HttpBatch naming(String... headers) {
        Set<String> names = new TreeSet<>(sharing.names());
        names.addAll(lower(headers));
        return with(sharing.names(names));
    }

    /**
     * Says where in its body a request bears its name too, so that it may travel with others. One whose member is not what
     * the header says goes alone all the same. Default: nowhere.
     *
     * @param member a member at the top of a JSON object, a string or a number
     */
    public HttpBatch inBody(String member) {
        return with(sharing.inBody(member));
    }

    /** Gives every request the answer of a batch that was refused as a whole. Default: it is halved. */
    public HttpBatch whole() {
        return new HttpBatch(target, format, sharing, false, formatOrigin);
    }

    private HttpBatch with(BatchCompatibility changed) {
        return new HttpBatch(target, format, changed, halving, formatOrigin);
    }

    /**
     * Collapses into these batches what may travel together, up to {@value #MAX_BYTES} bytes a batch. Add {@link
     * Collapse#alone} for what goes alone: without it, it goes as a batch of one, by the batch URL.
     */
    public Collapse<HttpCall, HttpAnswer> collapse() {
        Collapse<HttpCall, HttpAnswer> collapse = Collapse.intoEndings(this)
                .only(this::fits)
                .per(sharing::scope)
                .unique(format::unique)
                .defaultMaxBytes(MAX_BYTES, HttpBatch::size);
        return halving ? collapse : collapse.whole();
    }

    /** How many bytes a request adds to a batch, for {@link Collapse#maxBytes}: those of its body, and one between two. */
    public static long size(HttpCall request) {
        return request.body().length + 1L;
    }

    /** Whether a request may travel with others. */
    public boolean fits(HttpCall request) {
        return sharing.mayShare(request) && format.fits(request);
    }

    /**
     * Sends a batch.
     *
     * @throws Rejected nothing was sent, as {@link HttpTarget#call} says
     * @throws Failed nothing reached the target; or, cause refused, it refused the batch as a whole, or these requests may
     *     not share a call, and nothing was sent
     * @throws Unknown it was sent, and no answer came that tells of its requests
     */
    @Override
    public BatchEndings<HttpAnswer> call(List<HttpCall> requests) throws Unanswered {
        if (requests.isEmpty()) {
            return BatchEndings.answered(List.of());
        }
        check(requests);
        HttpAnswer answer = target.call(written(requests));
        int kind = answer.status() / 100;
        if (kind == 2) {
            return format.endings(requests, answer);
        }
        if (kind == 3) {
            throw new Unknown(
                    Unknown.Cause.GARBLED,
                    "a batch was answered " + answer.status() + ", which tells nothing of its requests");
        }
        if (kind == 4 && halving && requests.size() > 1 && !OF_THE_CALL.contains(answer.status())) {
            throw new Failed(
                    Failed.Cause.REFUSED,
                    "a batch of " + requests.size() + " was refused as a whole by a status of " + answer.status());
        }
        return BatchEndings.answered(Collections.nCopies(requests.size(), answer));
    }

    private HttpCall written(List<HttpCall> requests) throws Failed {
        try {
            return withCommon(format.call(requests), requests);
        } catch (RuntimeException | Error broken) {
            throw new Failed(
                    Failed.Cause.UNDONE,
                    "nothing was sent, as " + format + " threw " + broken + "; correct its call() or fits()",
                    broken);
        }
    }

    /** Whoever has put this batch together: what may not share a call does not. */
    private void check(List<HttpCall> requests) throws Failed {
        if (requests.size() == 1) {
            HttpCall one = requests.getFirst();
            if (!sharing.mayBeWrapped(one) || !format.fits(one)) {
                throw refused("the request cannot be written as " + format + " without loss");
            }
            return;
        }
        List<Header> scope = sharing.scope(requests.getFirst());
        for (HttpCall request : requests) {
            if (!fits(request) || !sharing.scope(request).equals(scope)) {
                throw refused("the requests of a batch may not share a call");
            }
        }
    }

    private static Failed refused(String why) {
        return new Failed(Failed.Cause.REFUSED, why + ", so nothing was sent");
    }

    private HttpCall withCommon(HttpCall batch, List<HttpCall> requests) {
        List<Header> headers = new ArrayList<>();
        batch.headers().forEach(headers::add);
        for (Header field : sharing.common(requests)) {
            if (!batch.headers().has(field.name())) {
                headers.add(field);
            }
        }
        // A path would be put behind the URL of the batch.
        return HttpCall.of(batch.method(), "/", Headers.of(headers), batch.body());
    }

    private static Set<String> lower(String... headers) {
        return Arrays.stream(headers)
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public String where() {
        return target.where();
    }

    /** What this was told, and the settings of its target under the name {@code collapse.}. */
    @Override
    public List<Setting> settings() {
        List<Setting> all = new ArrayList<>();
        all.add(setting("url", where(), "a url", "where batches go", true));
        all.add(setting(
                "format",
                format.toString(),
                "a format",
                "how requests are written into a batch",
                formatOrigin == Origin.FILE));
        all.add(setting(
                "per",
                sharing.per() == null ? "every header" : String.join(", ", sharing.per()),
                "header names",
                "requests that differ in these, or in a credential, never share a call",
                sharing.per() != null));
        all.add(setting(
                "in_body",
                sharing.member() == null ? "none" : sharing.member(),
                "a member",
                "where a body bears the key of its request; one whose key is in the header alone (%s) goes alone"
                        .formatted(String.join(", ", sharing.names())),
                sharing.member() != null));
        all.add(setting(
                "halve",
                Boolean.toString(halving),
                "true, false",
                "whether a batch that is refused as a whole is sent in halves",
                !halving));
        for (Setting own : target.settings()) {
            all.add(new Setting(
                    "collapse." + own.name(), own.value(), own.range(), own.reason(), own.since(), own.origin()));
        }
        return List.copyOf(all);
    }

    private Setting setting(String name, String value, String range, String reason, boolean given) {
        return new Setting("collapse." + name, value, range, reason, since, given ? Origin.FILE : Origin.DEFAULT);
    }

    /** Those of its target. */
    @Override
    public Map<String, Long> connections() {
        return target.connections();
    }

    /** Where the time of its calls went, as {@link HttpTarget#times} says. */
    @Override
    public Map<String, Long> times() {
        return target.times();
    }

    @Override
    public void close() {
        target.close();
    }

    @Override
    public String toString() {
        return format + " to " + where();
    }
}
