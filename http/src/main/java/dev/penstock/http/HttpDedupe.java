package dev.penstock.http;

import dev.penstock.Dedupe;
import dev.penstock.IdempotencyStore;
import dev.penstock.http.header.Header;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Idempotency for HTTP requests: sends a request once per key, and repeats the answer (status, header fields and body) for
 * further requests with the same key.
 *
 * <p>Two requests are the same if they have the same method, path with query, body, content type and {@linkplain
 * Header#isCredential credentials}. So no client gets an answer that belongs to another. Requests with safe methods have
 * no key.
 *
 * <p>Answers that mean that the target did not process the request are not stored: 401, 407, 408, 421, 425, 429, 503 and 508.
 */
public final class HttpDedupe {
    private static final String CONTENT_TYPE = "content-type";

    private HttpDedupe() {}

    /**
     * Uses the value of a header as the key.
     *
     * @param header its name, such as {@code Idempotency-Key}; a request without it, or with an empty value, has no key
     * @param store stores the keys; the flow does not close it
     */
    public static Dedupe<HttpCall> byHeader(String header, IdempotencyStore store) {
        return Dedupe.byKey(header, store, new HttpAnswerCodec())
                .fingerprint((HttpCall call) -> fingerprint(call, header, true));
    }

    /**
     * Uses the value of a header as the key, separately for each client, which other headers identify: the same key of two
     * clients is two keys. Credentials may then differ between requests with the same key.
     *
     * @param header its name, as above
     * @param store stores the keys; the flow does not close it
     * @param per the names of the headers that identify a client; a missing header counts as empty
     * @throws IllegalArgumentException if {@code per} is empty
     */
    public static Dedupe<HttpCall> byHeader(String header, IdempotencyStore store, List<String> per) {
        if (per.isEmpty()) {
            throw new IllegalArgumentException(
                    "the list of headers that identify clients is empty: add one or omit the list");
        }
        List<String> names = List.copyOf(per);
        return Dedupe.byKey((HttpCall call) -> key(call, header, names), store, new HttpAnswerCodec())
                .by(header + " per " + String.join(", ", names))
                .fingerprint(call -> fingerprint(call, header, false));
    }

    private static @Nullable String key(HttpCall call, String header, List<String> per) {
        String key = call.key(header);
        if (key == null) {
            return null;
        }
        StringBuilder all = new StringBuilder();
        for (String name : per) {
            for (String value : call.headers().all(name)) {
                all.append(value.length()).append(':').append(value);
            }
            all.append('/');
        }
        return all.append(key).toString();
    }

    private static byte[] fingerprint(HttpCall call, String header, boolean withCredentials) {
        HttpBytes bytes = new HttpBytes().text(call.method()).text(call.path());
        for (Header field : call.headers()) {
            String name = field.name().toLowerCase(Locale.ROOT);
            if (name.equals(CONTENT_TYPE) || (withCredentials && field.isCredential() && !field.is(header))) {
                bytes.text(name).text(field.value());
            }
        }
        return bytes.bytes(call.body()).all();
    }
}
