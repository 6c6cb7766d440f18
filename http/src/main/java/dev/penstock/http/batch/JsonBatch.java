package dev.penstock.http.batch;

import dev.penstock.BatchEndings;
import dev.penstock.Failed;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * JSON batches: an array, or one line per request (newline-delimited JSON). Bodies and answers are copied byte for byte, except
 * that in the line format a line break inside a body becomes a space, which is equivalent.
 *
 * <p>A request fits if it is a POST whose body is one JSON value in UTF-8 and whose Content-Type is {@code application/json} or
 * missing. Each answer has status 200, its element as body, and the content type of the whole answer ({@code application/json}
 * in the line format).
 *
 * <p>If the answer is not valid JSON, or does not have as many elements as the batch has requests, every request ends as {@link
 * Unknown}, cause garbled. Immutable; each method returns a modified copy. Thread-safe.
 */
public final class JsonBatch implements BatchFormat {
    private static final Pattern JSON =
            Pattern.compile("(?i)application/json\\s*(;\\s*charset\\s*=\\s*\"?utf-8\"?\\s*)?");
    private static final Pattern STATUS = Pattern.compile("[2-5][0-9][0-9]");
    static final String TYPE = "application/json";

    private enum Framing {
        ARRAY,
        LINES
    }

    private final Framing framing;
    private final @Nullable String key;
    private final @Nullable String status;

    private JsonBatch(Framing framing, @Nullable String key, @Nullable String status) {
        this.framing = framing;
        this.key = key;
        this.status = status;
    }

    /** An array of all bodies, answered by an array. */
    public static JsonBatch array() {
        return new JsonBatch(Framing.ARRAY, null, null);
    }

    /** One line per body ({@code application/x-ndjson}), answered by one line per request. */
    public static JsonBatch lines() {
        return new JsonBatch(Framing.LINES, null, null);
    }

    /**
     * Assigns answers to requests by a member of both, a string or a number, instead of by order. A request without the member
     * does not fit. A request whose key occurs in no answer, or in several, ends as {@link Unknown}, cause garbled.
     *
     * @param member name of the top-level member
     */
    public JsonBatch byKey(String member) {
        return new JsonBatch(framing, member, status);
    }

    /**
     * Reads the status of each answer from a member of it, a number from 200 to 599. A request whose answer lacks it ends as
     * {@link Unknown}, cause garbled. Default: the status is 200.
     *
     * @param member name of the top-level member
     */
    public JsonBatch status(String member) {
        return new JsonBatch(framing, key, member);
    }

    @Override
    public boolean fits(HttpCall request) {
        String type = request.headers().first("Content-Type");
        return request.method().equals("POST")
                && (type == null || JSON.matcher(type).matches())
                && !request.headers().has("Content-Encoding")
                && JsonScanner.isValue(request.body())
                && (key == null || JsonScanner.member(request.body(), key) != null);
    }

    @Override
    public @Nullable Object unique(HttpCall request) {
        return key == null ? null : JsonScanner.member(request.body(), key);
    }

    @Override
    public HttpCall call(List<HttpCall> requests) throws Failed {
        if (key != null) {
            indexByKey(requests, key);
        }
        Headers headers = framing == Framing.ARRAY
                ? Headers.none().with("Content-Type", TYPE)
                : Headers.none().with("Content-Type", "application/x-ndjson").with("Accept", "application/x-ndjson");
        return HttpCall.of("POST", "/", headers, framing == Framing.ARRAY ? inArray(requests) : inLines(requests));
    }

    private static byte[] inArray(List<HttpCall> requests) {
        ByteArrayOutputStream all = new ByteArrayOutputStream(size(requests));
        for (HttpCall request : requests) {
            all.write(all.size() == 0 ? '[' : ',');
            all.writeBytes(request.body());
        }
        all.write(']');
        return all.toByteArray();
    }

    private static byte[] inLines(List<HttpCall> requests) {
        ByteArrayOutputStream all = new ByteArrayOutputStream(size(requests));
        for (HttpCall request : requests) {
            for (byte one : request.body()) {
                // In JSON, line breaks occur only between tokens.
                all.write(one == '\n' || one == '\r' ? ' ' : one);
            }
            all.write('\n');
        }
        return all.toByteArray();
    }

    private static int size(List<HttpCall> requests) {
        int size = 1;
        for (HttpCall request : requests) {
            size = Math.addExact(size, request.body().length + 1);
        }
        return size;
    }

    /** The index of each request by its key. */
    private static Map<String, Integer> indexByKey(List<HttpCall> requests, String key) throws Failed {
        Map<String, Integer> indexes = new HashMap<>();
        for (int index = 0; index < requests.size(); index++) {
            String own = JsonScanner.member(requests.get(index).body(), key);
            if (own == null || indexes.put(own, index) != null) {
                throw new Failed(
                        Failed.Cause.REFUSED,
                        "two requests of a batch have the same '" + key + "', or one has none, so nothing was sent");
            }
        }
        return indexes;
    }

    @Override
    public BatchEndings<HttpAnswer> endings(List<HttpCall> requests, HttpAnswer answer) throws Unknown, Failed {
        List<byte[]> elements = framing == Framing.ARRAY ? JsonScanner.elements(answer.body()) : lines(answer.body());
        if (elements == null) {
            throw garbled("the answer to a batch is not valid " + this + ", so the outcome of its requests is unknown");
        }
        if (key == null && elements.size() != requests.size()) {
            throw garbled("a batch of " + requests.size() + " requests got " + elements.size()
                    + " answers, so they cannot be assigned");
        }
        String given = answer.headers().first("Content-Type");
        Headers type = Headers.none().with("Content-Type", framing == Framing.LINES || given == null ? TYPE : given);
        return key == null ? inOrder(elements, type) : byIndex(indexByKey(requests, key), elements, type, key);
    }

    private BatchEndings<HttpAnswer> inOrder(List<byte[]> elements, Headers type) {
        BatchEndings.Builder<HttpAnswer> endings = BatchEndings.ofSize(elements.size());
        for (int index = 0; index < elements.size(); index++) {
            end(endings, index, elements.get(index), type);
        }
        return endings.build();
    }

    private BatchEndings<HttpAnswer> byIndex(
            Map<String, Integer> indexes, List<byte[]> elements, Headers type, String member) {
        BatchEndings.Builder<HttpAnswer> endings = BatchEndings.ofSize(indexes.size());
        boolean[] answered = new boolean[indexes.size()];
        for (byte[] element : elements) {
            Integer index = indexes.get(Objects.requireNonNullElse(JsonScanner.member(element, member), ""));
            if (index != null && answered[index]) {
                endings.ended(index, garbled("the answer to a batch has the same '" + member + "' twice"));
            } else if (index != null) {
                answered[index] = true;
                end(endings, index, element, type);
            }
        }
        return endings.build();
    }

    private void end(BatchEndings.Builder<HttpAnswer> endings, int index, byte[] element, Headers type) {
        String own = status == null ? "200" : JsonScanner.member(element, status);
        if (own != null && STATUS.matcher(own).matches()) {
            endings.answered(index, HttpAnswer.of(Integer.parseInt(own), type, element));
        } else {
            endings.ended(index, garbled("its part of the answer to a batch has no valid status in '" + status + "'"));
        }
    }

    /** The lines that are not blank; null if one of them is not valid JSON. */
    private static @Nullable List<byte[]> lines(byte[] text) {
        List<byte[]> lines = new ArrayList<>();
        // Latin-1 in both directions preserves every byte.
        for (String line : new String(text, StandardCharsets.ISO_8859_1).split("\n", -1)) {
            byte[] one = line.isBlank() ? null : JsonScanner.value(line.getBytes(StandardCharsets.ISO_8859_1));
            if (one != null) {
                lines.add(one);
            } else if (!line.isBlank()) {
                return null;
            }
        }
        return lines;
    }

    static Unknown garbled(String message) {
        return new Unknown(Unknown.Cause.GARBLED, message);
    }

    /** The name in a flow file. */
    @Override
    public String toString() {
        return framing == Framing.ARRAY ? "json-array" : "ndjson";
    }
}
