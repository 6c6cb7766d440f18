package dev.penstock.http;

import dev.penstock.dedupe.Dedupe;
import dev.penstock.dedupe.IdempotencyStore;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Carries an HTTP request once for each key, and answers the same key with the same answer: status, header fields and body.
 *
 * <p>Requests are the same when they agree in method, path with query, body, content type and {@linkplain
 * Header#isCredential credentials}: so nobody gets an answer that was made for somebody else. Requests by safe methods have
 * no key.
 *
 * <p>Answers that say that the target did not take the request are not kept: 401, 407, 408, 421, 425, 429 and 503.
 */
public final class HttpDedupe {
    private static final String CONTENT_TYPE = "content-type";

    private HttpDedupe() {}

    /**
     * By the value of a header.
     *
     * @param header its name, such as {@code Idempotency-Key}; a request without it, or with an empty one, has no key
     * @param ledger where keys are kept. The flow does not close it
     */
    public static Dedupe byHeader(String header, IdempotencyStore ledger) {
        return Dedupe.byKey(header, ledger, new HttpAnswerCodec())
                .fingerprint(HttpCall.class, call -> fingerprint(call, header, true));
    }

    /**
     * By the value of a header, for each value of others that tell clients apart: the same key of two clients is two keys.
     * Credentials may then change from one request of a key to the next.
     *
     * @param header its name, as above
     * @param ledger where keys are kept. The flow does not close it
     * @param per the names of the other headers; a request that lacks one has it empty
     * @throws IllegalArgumentException when there are none
     */
    public static Dedupe byHeader(String header, IdempotencyStore ledger, List<String> per) {
        if (per.isEmpty()) {
            throw new IllegalArgumentException("name the headers that tell clients apart, or leave the list out");
        }
        List<String> names = List.copyOf(per);
        return Dedupe.byKey(HttpCall.class, call -> key(call, header, names), ledger, new HttpAnswerCodec())
                .by(header + " per " + String.join(", ", names))
                .fingerprint(HttpCall.class, call -> fingerprint(call, header, false));
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
