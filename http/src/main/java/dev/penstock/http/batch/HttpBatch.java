package dev.penstock.http.batch;

import dev.penstock.BatchEndings;
import dev.penstock.Collapse;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Target;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Sends several requests as one batch to a URL that accepts batches: a POST of many bodies, or a GET of many ids.
 *
 * <pre>{@code
 * try (var gateway = HttpTarget.of("https://gateway.example/v1/payments");
 *         var batches = HttpBatch.over(HttpTarget.of("https://gateway.example/v1/batch"), JsonBatch.array())) {
 *     Flow<HttpCall, HttpAnswer> payments = Flow.named("payments")
 *             .deadline(Duration.ofSeconds(5))
 *             .adaptiveConcurrency()
 *             .to(batches.collapse().max(50).alone(gateway));
 * }
 * }</pre>
 *
 * <h2>Which requests share a batch</h2>
 *
 * <p>Requests that {@linkplain BatchFormat#fits fit the format}, have no query that the format does not write into the batch,
 * and have equal header fields except transport headers (User-Agent, Via, Date, Priority, Accept-Encoding, trace context). So
 * no request is sent with the credentials of another. Common fields are sent once. A request is sent alone if it has a header
 * about a single body or resource (Range, If-Match, Content-Encoding, Digest, Signature, Expect), or one that identifies it,
 * such as Idempotency-Key, because a batch cannot contain the key of each request; unless the body contains the key too, see
 * {@link #inBody}.
 *
 * <h2>Meaning of the answer</h2>
 *
 * <ul>
 *   <li>200 to 299: split by the format.
 *   <li>400 to 499: the target processed nothing: {@link Failed}, cause refused. {@link Collapse} then sends each half
 *       separately, until the request that the target refuses is alone and gets that answer. Do not collapse into a URL that
 *       processes a part of a batch and then answers with such a status, except with {@link #whole}.
 *   <li>401, 407, 408, 421, 425, 429, and 500 and above: the status concerns the client or the target, not a single request.
 *       Each request gets that answer, as if it had been sent alone.
 *   <li>300 to 399: the outcome of the requests is not known: {@link Unknown}, cause garbled.
 * </ul>
 *
 * <p>Each method returns a modified copy for the same target. Thread-safe.
 */
public final class HttpBatch implements Target.Converting<List<HttpCall>, BatchEndings<HttpAnswer>> {
    /** The default maximum size of the bodies of a batch in bytes: {@value}. */
    public static final long MAX_BYTES = 1 << 20;

    private static final Set<Integer> ABOUT_THE_CALL = Set.of(401, 407, 408, 421, 425, 429);

    private final HttpTarget target;
    /** For a GET, whose path and query are its own. */
    private final HttpTarget host;

    private final BatchFormat format;
    private final BatchCompatibility compatibility;
    private final boolean halving;
    private final Origin formatOrigin;
    private final Instant since = Instant.now();

    private HttpBatch(
            HttpTarget target,
            BatchFormat format,
            BatchCompatibility compatibility,
            boolean halving,
            Origin formatOrigin) {
        this.target = target;
        this.host = target.onHost();
        this.format = format;
        this.compatibility = compatibility;
        this.halving = halving;
        this.formatOrigin = formatOrigin;
    }

    /**
     * Creates batches for a target.
     *
     * @param target the URL that accepts batches; closed with this
     * @param format {@link JsonBatch#array}, {@link JsonBatch#lines}, {@link GetBatch#of}, or another implementation
     */
    public static HttpBatch over(HttpTarget target, BatchFormat format) {
        return new HttpBatch(target, format, BatchCompatibility.STANDARD, true, Origin.GIVEN);
    }

    /**
     * Sets the origin of the format, for settings.
     *
     * @param who {@link Origin#GIVEN} (the default), or {@link Origin#DEFAULT} if the user did not choose the format
     */
    public HttpBatch formatOrigin(Origin who) {
        return new HttpBatch(target, format, compatibility, halving, who);
    }

    /** Accepts only requests with this exact path; a longer path would be lost in a batch. Default: the path is ignored. */
    public HttpBatch onPath(String path) {
        return with(compatibility.onPath(path));
    }

    /**
     * Lets requests share a batch if they are equal in these header fields, in Content-Type, and in possible credentials
     * (Authorization, Cookie, and all names that contain auth, token, key, secret, session, sign or cert). Other fields may
     * differ and are then not sent. Default: all fields except transport headers must be equal.
     *
     * @param headers header names; empty for Content-Type and credentials only
     */
    public HttpBatch per(String... headers) {
        return with(compatibility.per(lower(headers)));
    }

    /**
     * Adds header fields that identify a request, such as the key of {@code Retry.byKey} or of a status probe. Idempotency-Key,
     * and any name that contains "idempoten", always count.
     */
    public HttpBatch naming(String... headers) {
        Set<String> names = new TreeSet<>(compatibility.names());
        names.addAll(lower(headers));
        return with(compatibility.names(names));
    }

    /**
     * Names the member of the body that also contains the identifier of the request, so that it can share a batch. A request
     * whose member differs from its header is sent alone. Default: none.
     *
     * @param member a top-level member of a JSON object, a string or a number
     */
    public HttpBatch inBody(String member) {
        return with(compatibility.inBody(member));
    }

    /** Returns the answer of a refused batch to all of its requests. Default: a refused batch is sent in halves. */
    public HttpBatch whole() {
        return new HttpBatch(target, format, compatibility, false, formatOrigin);
    }

    private HttpBatch with(BatchCompatibility changed) {
        return new HttpBatch(target, format, changed, halving, formatOrigin);
    }

    /**
     * Returns a collapse stage that merges compatible requests into batches of up to the {@linkplain BatchFormat#maxSize maximum
     * size of the format}. Set {@link Collapse#alone} for requests that cannot share a batch; without it they are sent as a batch
     * of one to the batch URL.
     */
    public Collapse<HttpCall, HttpAnswer> collapse() {
        Collapse<HttpCall, HttpAnswer> collapse = Collapse.intoEndings(this)
                .only(this::fits)
                .per(compatibility::scope)
                .unique(format::unique)
                .defaultMaxBytes(format.maxSize(), format::size);
        return halving ? collapse : collapse.whole();
    }

    /**
     * Returns the bytes that a request with a body adds to a batch, for {@link Collapse#maxBytes}: its body and a separator.
     * Not for {@link GetBatch}, which limits the length of the URL.
     */
    public static long size(HttpCall request) {
        return request.body().length + 1L;
    }

    /** Whether a request may share a batch with others. */
    public boolean fits(HttpCall request) {
        return compatibility.mayShare(request, format.commonPath(request)) && format.fits(request);
    }

    /**
     * Sends a batch.
     *
     * @throws Rejected nothing was sent, see {@link HttpTarget#call}
     * @throws Failed the target received nothing; or, cause refused, it refused the whole batch, or the requests are not
     *     compatible and nothing was sent
     * @throws Unknown the batch was sent, and there is no answer for its requests
     */
    @Override
    public BatchEndings<HttpAnswer> call(List<HttpCall> requests) throws Unanswered {
        if (requests.isEmpty()) {
            return BatchEndings.answered(List.of());
        }
        check(requests);
        HttpCall batch = written(requests);
        HttpAnswer answer = (isGet(batch) ? host : target).call(batch);
        int kind = answer.status() / 100;
        if (kind == 2) {
            return format.endings(requests, answer);
        }
        if (kind == 3) {
            throw new Unknown(
                    Unknown.Cause.GARBLED,
                    "the batch URL answered " + answer.status()
                            + ", which is no answer to a batch, so the outcome of its requests is unknown; correct the url");
        }
        if (kind == 4 && halving && requests.size() > 1 && !ABOUT_THE_CALL.contains(answer.status())) {
            throw new Failed(
                    Failed.Cause.REFUSED,
                    "a batch of " + requests.size() + " requests was refused with status " + answer.status());
        }
        return BatchEndings.answered(Collections.nCopies(requests.size(), answer));
    }

    private HttpCall written(List<HttpCall> requests) throws Failed {
        try {
            return withCommon(format.call(requests), requests);
        } catch (RuntimeException | Error broken) {
            throw new Failed(
                    Failed.Cause.UNDONE,
                    "nothing was sent, because " + format + " threw " + broken + "; correct its call() or fits()",
                    broken);
        }
    }

    /** Checks compatibility again, whoever composed the batch. */
    private void check(List<HttpCall> requests) throws Failed {
        if (requests.size() == 1) {
            HttpCall one = requests.getFirst();
            if (!compatibility.mayBeWrapped(one, format.commonPath(one)) || !format.fits(one)) {
                throw refused("the request cannot be written as " + format + " without losing information");
            }
            return;
        }
        List<Header> scope = compatibility.scope(requests.getFirst());
        for (HttpCall request : requests) {
            if (!fits(request) || !compatibility.scope(request).equals(scope)) {
                throw refused("the requests are not compatible with one batch");
            }
        }
    }

    private static Failed refused(String why) {
        return new Failed(Failed.Cause.REFUSED, why + ", so nothing was sent");
    }

    private HttpCall withCommon(HttpCall batch, List<HttpCall> requests) {
        List<Header> headers = new ArrayList<>();
        batch.headers().forEach(headers::add);
        for (Header field : compatibility.common(requests)) {
            if (!batch.headers().has(field.name())) {
                headers.add(field);
            }
        }
        // Another path would be appended to the URL of the batch.
        String path = isGet(batch) ? batch.path() : "/";
        return HttpCall.of(batch.method(), path, Headers.of(headers), batch.body());
    }

    private static boolean isGet(HttpCall batch) {
        return batch.method().equals("GET");
    }

    private static Set<String> lower(String... headers) {
        return Arrays.stream(headers)
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public HttpTarget target() {
        return target;
    }

    /** The settings of the batch, and those of its target with the prefix {@code collapse.}. */
    @Override
    public List<Setting> settings() {
        List<Setting> all = new ArrayList<>();
        all.add(setting("url", where(), "a url", "the URL for batches", true));
        all.add(setting(
                "format",
                format.toString(),
                "a format",
                "how requests are written into a batch",
                formatOrigin != Origin.DEFAULT));
        all.add(setting(
                "per",
                compatibility.per() == null ? "every header" : String.join(", ", compatibility.per()),
                "header names",
                "requests that differ in these, or in a credential, never share a batch",
                compatibility.per() != null));
        all.add(setting(
                "in_body",
                compatibility.member() == null ? "none" : compatibility.member(),
                "a member",
                "the member of a body with the key of its request; a request with a key only in the header (%s) is sent alone"
                        .formatted(String.join(", ", compatibility.names())),
                compatibility.member() != null));
        all.add(setting(
                "halve",
                Boolean.toString(halving),
                "true, false",
                "whether a refused batch is sent in halves",
                !halving));
        for (Setting own : target.settings()) {
            all.add(new Setting(
                    "collapse." + own.name(), own.value(), own.range(), own.reason(), own.since(), own.origin()));
        }
        return List.copyOf(all);
    }

    private Setting setting(String name, String value, String range, String reason, boolean given) {
        return new Setting("collapse." + name, value, range, reason, since, given ? Origin.GIVEN : Origin.DEFAULT);
    }

    @Override
    public String toString() {
        return format + " to " + where();
    }
}
