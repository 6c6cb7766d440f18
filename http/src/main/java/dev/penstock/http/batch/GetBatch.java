package dev.penstock.http.batch;

import dev.penstock.BatchEndings;
import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.http.internal.Paths;
import java.io.ByteArrayOutputStream;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * GET batches: many GET requests become one, whose URL lists their ids; the answer is a JSON array.
 *
 * <pre>{@code
 * var articles = HttpBatch.over(HttpTarget.of("https://api.example"), GetBatch.of("/articles?ids={id}").byKey("id"));
 * // GET /articles/7 and GET /articles/9 become GET /articles?ids=7,9
 * }</pre>
 *
 * <h2>Ids</h2>
 *
 * <p>The placeholder names the query parameter with the id of a request ({@code /articles?id=7}); a request without a query has
 * its id in the last path segment ({@code /articles/7}). The rest of its path is its {@linkplain #commonPath common path}. Ids
 * are percent-encoded in UTF-8, except letters, digits and {@code -._*}. Equal ids are sent once, and their requests get the
 * same answer.
 *
 * <p>A request does not fit, and is sent alone, if it is no GET, has a body, other query parameters or no id, or if a server
 * could read its id in another way: it contains the first character of the join text, a control character, a plus sign or
 * semicolon that is not encoded, or invalid UTF-8; or the URL would be too long or have a dot segment.
 *
 * <h2>Answers</h2>
 *
 * <p>Each answer has status 200, its element as body, byte for byte, and the content type of the whole answer. If the answer is
 * not a JSON array of the expected length, every request ends as {@link dev.penstock.Unknown}, cause garbled; {@link
 * dev.penstock.Collapse} then sends the halves of the batch, because it only reads.
 *
 * <p>The length of path and query is at most {@value #MAX_URL}; {@link HttpBatch#collapse} keeps batches within it. Immutable;
 * each method returns a modified copy. Thread-safe.
 */
public final class GetBatch implements BatchFormat {
    /**
     * The maximum length of the path and query of a batch: {@value}. Servers should support 8,000 (RFC 9110 section 4.1), but
     * many limit the whole head of a request to 8 KB; the other half is left for the header fields.
     */
    public static final int MAX_URL = 4_000;

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([A-Za-z0-9._~-]+)}");
    /** Servers disagree on what these mean when they are not encoded. */
    private static final Pattern AMBIGUOUS = Pattern.compile("[&+;]");

    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,8}");
    private static final Pattern POINTER = Pattern.compile("/((?:[^~/]|~[01])+)");
    private static final int NOT_FOUND = 404;
    private static final byte[] NOTHING = new byte[0];

    /** How the elements of the answer are assigned to requests. */
    private enum Assignment {
        POSITION,
        KEY,
        WEIGHT
    }

    private final String before;
    private final String after;
    private final String parameter;
    private final String placeholder;
    private final String join;
    private final char separator;
    private final Assignment assignment;
    /** The member for {@link Assignment#KEY}. */
    private final String key;

    private GetBatch(
            String before,
            String after,
            String parameter,
            String placeholder,
            String join,
            Assignment assignment,
            String key) {
        this.before = before;
        this.after = after;
        this.parameter = parameter;
        this.placeholder = placeholder;
        this.join = join;
        this.separator = URLDecoder.decode(join, StandardCharsets.UTF_8).charAt(0);
        this.assignment = assignment;
        this.key = key;
    }

    /**
     * A list of ids, joined by commas, answered by an array in the same order.
     *
     * @param template path and query on the host of the target, with one placeholder for the ids: {@code /articles?ids={id}},
     *     or {@code /articles/{id}}
     * @throws IllegalArgumentException if the template is invalid; the message, one line, says what to write
     */
    public static GetBatch of(String template) {
        Matcher place = PLACEHOLDER.matcher(template);
        if (!place.find()) {
            throw wrong(template, "has no placeholder for the ids");
        }
        String before = template.substring(0, place.start());
        String after = template.substring(place.end());
        if ((before + after).matches(".*[{}].*")) {
            throw wrong(template, "has more than one placeholder or brace");
        }
        if (before.length() + after.length() > MAX_URL / 2) {
            throw wrong(template, "is longer than " + MAX_URL / 2 + " characters");
        }
        return new GetBatch(before, after, place.group(1), place.group(1), ",", Assignment.POSITION, "").join(",");
    }

    private static IllegalArgumentException wrong(String template, String what) {
        return new IllegalArgumentException("the template " + template + " " + what + ": write it like /n?ids={id}");
    }

    /**
     * Sets the text between two ids. Default: a comma.
     *
     * @param text as it appears in the URL, not empty: {@code ,} or {@code %7C}, or {@code &ids=} to repeat a parameter
     * @throws IllegalArgumentException if it is empty, or has a character that must be percent-encoded
     */
    public GetBatch join(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("the join text between ids is empty: write one such as a comma");
        }
        try {
            HttpCall.get(before + "x" + text + "x" + after);
            URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the template " + this + " with the join text '" + text + "' cannot be sent: " + e.getMessage(), e);
        }
        return new GetBatch(before, after, parameter, placeholder, text, assignment, key);
    }

    /**
     * Assigns elements to requests by a member that equals the id, a string or a number, instead of by order. An id that is in
     * no element is answered with 404, without a body, as if its request had been sent alone; so the URL must answer all ids
     * of a batch at once, without paging. If an element has another id, or lacks the member, missing ids are not answered with
     * 404 but end as {@link dev.penstock.Unknown}, cause garbled, and so does an id that is in two elements.
     *
     * @param member name of the top-level member
     * @throws IllegalStateException after {@link #byWeight}
     */
    public GetBatch byKey(String member) {
        checkUnassigned(Assignment.KEY);
        return new GetBatch(before, after, parameter, placeholder, join, Assignment.KEY, member);
    }

    /**
     * Sends one total instead of a list: the placeholder becomes the sum of the weights of all requests, and the array is cut
     * into one array for each request, as long as its weight. For URLs that return as many things as they are asked for: {@code
     * GET /numbers?howMany=2} and {@code GET /numbers?howMany=3} become {@code GET /numbers?howMany=5}. A request without a
     * weight of 1 to 999999999 does not fit.
     *
     * @param pointer the weight in the query of a request: a JSON pointer (RFC 6901) into its parameters, such as
     *     {@code /howMany}
     * @throws IllegalArgumentException if it is not a JSON pointer to a parameter
     * @throws IllegalStateException after {@link #byKey}
     */
    public GetBatch byWeight(String pointer) {
        checkUnassigned(Assignment.WEIGHT);
        Matcher name = POINTER.matcher(pointer);
        if (!name.matches()) {
            throw new IllegalArgumentException(
                    "the weight " + pointer + " is no JSON pointer to a query parameter: write it like /howMany");
        }
        String weight = name.group(1).replace("~1", "/").replace("~0", "~");
        return new GetBatch(before, after, weight, placeholder, join, Assignment.WEIGHT, key);
    }

    private void checkUnassigned(Assignment wanted) {
        if (assignment != Assignment.POSITION && assignment != wanted) {
            throw new IllegalStateException("answers are assigned by a key or by weight, not both: remove one");
        }
    }

    @Override
    public boolean fits(HttpCall request) {
        return request.method().equals("GET") && request.body().length == 0 && id(request) != null;
    }

    /** Returns the path of a request without its id: without its query, or without its last segment if it has no query. */
    @Override
    public String commonPath(HttpCall request) {
        String path = request.path();
        if (id(request) == null) {
            return path;
        }
        return path.indexOf('?') >= 0
                ? Paths.withoutQuery(path)
                : path.substring(0, Math.max(1, path.lastIndexOf('/')));
    }

    @Override
    public long size(HttpCall request) {
        String id = id(request);
        return id == null ? 0 : encoded(id).length() + (long) join.length();
    }

    @Override
    public long maxSize() {
        return (long) MAX_URL - before.length() - after.length();
    }

    /** The decoded id, or the weight, of a request; null if it has none that can be sent in a batch. */
    private @Nullable String id(HttpCall request) {
        String raw = raw(request.path());
        if (raw == null || raw.isEmpty() || AMBIGUOUS.matcher(raw).find()) {
            return null;
        }
        try {
            String id = URLDecoder.decode(raw, StandardCharsets.UTF_8);
            return isPlain(id) ? id : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private @Nullable String raw(String path) {
        int query = path.indexOf('?');
        if (query < 0) {
            return assignment == Assignment.WEIGHT ? null : path.substring(path.lastIndexOf('/') + 1);
        }
        return path.startsWith(parameter + "=", query + 1) ? path.substring(query + parameter.length() + 2) : null;
    }

    private boolean isPlain(String id) {
        if (assignment == Assignment.WEIGHT) {
            return NUMBER.matcher(id).matches();
        }
        String encoded = encoded(id);
        // The decoder replaces invalid UTF-8 by U+FFFD.
        return id.indexOf(separator) < 0
                && id.chars().noneMatch(c -> Character.isISOControl(c) || c == '\uFFFD')
                && encoded.length() + join.length() <= maxSize()
                && !Paths.hasDotSegment(before + encoded + after);
    }

    private static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public HttpCall call(List<HttpCall> requests) throws Failed {
        StringBuilder path = new StringBuilder(before);
        if (assignment == Assignment.WEIGHT) {
            path.append(total(requests));
        } else {
            path.append(ids(requests).stream().map(GetBatch::encoded).collect(Collectors.joining(join)));
        }
        path.append(after);
        if (path.length() > MAX_URL) {
            throw refused("the URL of a batch of " + requests.size() + " requests would have " + path.length()
                    + " characters, more than " + MAX_URL);
        }
        return HttpCall.get(path.toString());
    }

    /** The different ids, in the order of the URL. */
    private Set<String> ids(List<HttpCall> requests) throws Failed {
        Set<String> ids = new LinkedHashSet<>();
        for (HttpCall request : requests) {
            ids.add(required(request));
        }
        return ids;
    }

    private long total(List<HttpCall> requests) throws Failed {
        long total = 0;
        for (HttpCall request : requests) {
            total += Long.parseLong(required(request));
        }
        return total;
    }

    private String required(HttpCall request) throws Failed {
        String id = id(request);
        if (id == null) {
            throw refused("a request of a batch has no id");
        }
        return id;
    }

    private static Failed refused(String why) {
        return new Failed(Failed.Cause.REFUSED, why + ", so nothing was sent");
    }

    @Override
    public BatchEndings<HttpAnswer> endings(List<HttpCall> requests, HttpAnswer answer) throws Unanswered {
        List<byte[]> elements = JsonScanner.elements(answer.body());
        if (elements == null) {
            throw JsonBatch.garbled("the answer to " + this
                    + " is not a valid JSON array, so its elements cannot be assigned to requests");
        }
        String given = answer.headers().first("Content-Type");
        Headers type = Headers.none().with("Content-Type", given == null ? JsonBatch.TYPE : given);
        return switch (assignment) {
            case POSITION -> byPosition(requests, elements, type);
            case KEY -> byKey(requests, elements, type);
            case WEIGHT -> byWeight(requests, elements, type);
        };
    }

    private BatchEndings<HttpAnswer> byPosition(List<HttpCall> requests, List<byte[]> elements, Headers type)
            throws Unanswered {
        Set<String> ids = ids(requests);
        checkLength(ids.size(), elements);
        Map<String, HttpAnswer> answers = new HashMap<>();
        for (String id : ids) {
            answers.put(id, HttpAnswer.of(200, type, elements.get(answers.size())));
        }
        return byId(requests, answers, null);
    }

    private BatchEndings<HttpAnswer> byWeight(List<HttpCall> requests, List<byte[]> elements, Headers type)
            throws Unanswered {
        checkLength(total(requests), elements);
        BatchEndings.Builder<HttpAnswer> endings = BatchEndings.ofSize(requests.size());
        int from = 0;
        for (int index = 0; index < requests.size(); index++) {
            int to = from + Integer.parseInt(required(requests.get(index)));
            endings.answered(index, HttpAnswer.of(200, type, array(elements.subList(from, to))));
            from = to;
        }
        return endings.build();
    }

    private void checkLength(long wanted, List<byte[]> elements) throws Unanswered {
        if (elements.size() != wanted) {
            throw JsonBatch.garbled("the answer to " + this + " has " + elements.size() + " elements instead of "
                    + wanted + ", so they cannot be assigned to requests");
        }
    }

    private static byte[] array(List<byte[]> elements) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] element : elements) {
            all.write(all.size() == 0 ? '[' : ',');
            all.writeBytes(element);
        }
        all.write(']');
        return all.toByteArray();
    }

    private BatchEndings<HttpAnswer> byKey(List<HttpCall> requests, List<byte[]> elements, Headers type)
            throws Unanswered {
        Set<String> ids = ids(requests);
        Map<String, HttpAnswer> answers = new HashMap<>();
        @Nullable HttpAnswer missing = HttpAnswer.of(NOT_FOUND, Headers.none(), NOTHING);
        for (byte[] element : elements) {
            String own = JsonScanner.member(element, key);
            String id = own != null && own.startsWith("\"") ? own.substring(1) : Objects.requireNonNullElse(own, "");
            if (!ids.contains(id)) {
                missing = null;
            } else if (answers.put(id, HttpAnswer.of(200, type, element)) != null) {
                missing = null;
                answers.remove(id);
                ids.remove(id);
            }
        }
        return byId(requests, answers, missing);
    }

    private BatchEndings<HttpAnswer> byId(
            List<HttpCall> requests, Map<String, HttpAnswer> answers, @Nullable HttpAnswer missing) throws Failed {
        BatchEndings.Builder<HttpAnswer> endings = BatchEndings.ofSize(requests.size());
        for (int index = 0; index < requests.size(); index++) {
            HttpAnswer own = answers.get(required(requests.get(index)));
            HttpAnswer answer = own == null ? missing : own;
            if (answer != null) {
                endings.answered(index, answer);
            }
        }
        return endings.build();
    }

    /** The template; other query parameters, which may contain secrets, are left out. */
    @Override
    public String toString() {
        String ids = "{" + placeholder + "}";
        int query = before.indexOf('?');
        return "GET "
                + (query < 0
                        ? before + ids + Paths.withoutQuery(after)
                        : before.substring(0, query + 1)
                                + before.substring(Math.max(query, before.lastIndexOf('&')) + 1)
                                + ids);
    }
}
