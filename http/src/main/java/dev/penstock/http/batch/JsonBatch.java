package dev.penstock.http.batch;

import dev.penstock.Failed;
import dev.penstock.Unknown;
import dev.penstock.collapse.BatchEndings;
import dev.penstock.http.Headers;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
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
 * Batches in JSON: an array, or a line for each request (newline-delimited JSON). Bodies go in and come out byte for byte,
 * but that between lines a line break inside of a body becomes a space, which means the same.
 *
 * <p>Fit are POST requests whose body is one JSON value in UTF-8, and whose Content-Type is {@code application/json} or
 * missing. Each answer has the status 200, its element as its body, and the content type of the whole ({@code
 * application/json} between lines).
 *
 * <p>An answer that is no JSON, or that has more or fewer elements than the batch has requests, leaves every request {@link
 * Unknown}, cause garbled. Immutable; each method gives a changed copy.
 */
public final class JsonBatch implements BatchFormat {
    private static final Pattern JSON =
            Pattern.compile("(?i)application/json\\s*(;\\s*charset\\s*=\\s*\"?utf-8\"?\\s*)?");
    private static final Pattern STATUS = Pattern.compile("[2-5][0-9][0-9]");
    private static final String TYPE = "application/json";

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

    /** One array of all bodies, answered by an array. */
    public static JsonBatch array() {
        return new JsonBatch(Framing.ARRAY, null, null);
    }

    /** Each body in a line of its own ({@code application/x-ndjson}), answered by a line for each. */
    public static JsonBatch lines() {
        return new JsonBatch(Framing.LINES, null, null);
    }

    /**
     * Tells answers apart by a member that requests and answers bear, a string or a number, and not by their order. A
     * request without it is not fit. One whose key no answer bears, or more than one, is {@link Unknown}, cause garbled.
     *
     * @param member its name, at the top of each object
     */
    public JsonBatch byKey(String member) {
        return new JsonBatch(framing, member, status);
    }

    /**
     * Takes the status of each answer from a member of it, a number of 200 to 599. An answer without it leaves its request
     * {@link Unknown}, cause garbled. Default: all are 200.
     *
     * @param member its name, at the top of each object
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
            places(requests, key);
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
                // In JSON a line break stands between tokens only.
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

    /** Whose place a key is. */
    private static Map<String, Integer> places(List<HttpCall> requests, String key) throws Failed {
        Map<String, Integer> places = new HashMap<>();
        for (int place = 0; place < requests.size(); place++) {
            String own = JsonScanner.member(requests.get(place).body(), key);
            if (own == null || places.put(own, place) != null) {
                throw new Failed(
                        Failed.Cause.REFUSED,
                        "two requests of a batch have the same '" + key + "', or none, so nothing was sent");
            }
        }
        return places;
    }

    @Override
    public BatchEndings<HttpAnswer> endings(List<HttpCall> requests, HttpAnswer answer) throws Unknown, Failed {
        List<byte[]> elements = framing == Framing.ARRAY ? JsonScanner.elements(answer.body()) : lines(answer.body());
        if (elements == null) {
            throw garbled("the answer to a batch is no " + this + ", so nobody can tell what became of its requests");
        }
        if (key == null && elements.size() != requests.size()) {
            throw garbled("a batch of " + requests.size() + " was answered by " + elements.size()
                    + ", so nobody can tell whose is whose");
        }
        String given = answer.headers().first("Content-Type");
        Headers type = Headers.none().with("Content-Type", framing == Framing.LINES || given == null ? TYPE : given);
        return key == null ? inOrder(elements, type) : byPlace(places(requests, key), elements, type, key);
    }

    private BatchEndings<HttpAnswer> inOrder(List<byte[]> elements, Headers type) {
        BatchEndings.Builder<HttpAnswer> endings = BatchEndings.ofSize(elements.size());
        for (int place = 0; place < elements.size(); place++) {
            end(endings, place, elements.get(place), type);
        }
        return endings.build();
    }

    private BatchEndings<HttpAnswer> byPlace(
            Map<String, Integer> places, List<byte[]> elements, Headers type, String member) {
        BatchEndings.Builder<HttpAnswer> endings = BatchEndings.ofSize(places.size());
        boolean[] told = new boolean[places.size()];
        for (byte[] element : elements) {
            Integer place = places.get(Objects.requireNonNullElse(JsonScanner.member(element, member), ""));
            if (place != null && told[place]) {
                endings.ended(place, garbled("the answer to a batch has a '" + member + "' twice"));
            } else if (place != null) {
                told[place] = true;
                end(endings, place, element, type);
            }
        }
        return endings.build();
    }

    private void end(BatchEndings.Builder<HttpAnswer> endings, int place, byte[] element, Headers type) {
        String own = status == null ? "200" : JsonScanner.member(element, status);
        if (own != null && STATUS.matcher(own).matches()) {
            endings.answered(place, HttpAnswer.of(Integer.parseInt(own), type, element));
        } else {
            endings.ended(place, garbled("its part of the answer to a batch has no status in '" + status + "'"));
        }
    }

    /** The lines that are not empty, or null when one of them is no JSON. */
    private static @Nullable List<byte[]> lines(byte[] text) {
        List<byte[]> lines = new ArrayList<>();
        // A character for each byte, so that both ways keep every byte.
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

    private static Unknown garbled(String message) {
        return new Unknown(Unknown.Cause.GARBLED, message);
    }

    /** The name that it has in a flow file. */
    @Override
    public String toString() {
        return framing == Framing.ARRAY ? "json-array" : "ndjson";
    }
}
