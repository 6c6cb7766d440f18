package dev.penstock.gateway.transport;

import dev.penstock.Failed;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What messages of any broker contain of a request, beside its body, and what an answer means for a message. */
public final class MessageFields {
    /** The property with the transaction id. */
    public static final String ID = "penstock_id";

    private static final String KEY_HEADER = "Idempotency-Key";
    private static final int FAULTS = 500;

    /** The property with the method; none for POST. */
    public static final String METHOD = "penstock_method";

    /** The property with the path below the path of the flow; none for the path itself. */
    public static final String PATH = "penstock_path";

    private MessageFields() {}

    /**
     * The path below the path of the flow, with the query; empty for the path itself.
     *
     * @param path of the request
     * @param base the path of the flow
     */
    public static String rest(String path, String base) {
        String own = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        String rest = path.startsWith(own) ? path.substring(own.length()) : path;
        return rest.equals("/") ? "" : rest;
    }

    /**
     * The request of a message.
     *
     * @param method null for POST
     * @param path below the path of the flow; null for none
     * @param key sent as Idempotency-Key unless the message has that header; null for none
     * @throws Failed cause {@code REFUSED}: its method or path is invalid
     */
    public static HttpCall call(
            @Nullable String method, @Nullable String path, Headers headers, @Nullable String key, byte[] body)
            throws Failed {
        String rest = path == null ? "" : path;
        boolean isKeyed = key != null && !key.isEmpty() && !headers.has(KEY_HEADER);
        try {
            return HttpCall.of(
                    method == null ? "POST" : method,
                    rest.startsWith("/") ? rest : "/" + rest,
                    isKeyed && key != null ? withField(headers, KEY_HEADER, key) : headers,
                    body);
        } catch (IllegalArgumentException wrong) {
            throw new Failed(Failed.Cause.REFUSED, "the message is not a valid request: " + wrong.getMessage());
        }
    }

    /** The headers with one more, unless it is not a valid header field. */
    public static Headers withField(Headers headers, String name, String value) {
        try {
            return headers.and(name, value);
        } catch (IllegalArgumentException none) {
            return headers;
        }
    }

    /**
     * The answer to a message, whose sender does not see it. An HTTP client decides itself what to do about an answer; a
     * message that was acknowledged is gone. So an answer that means that the target did not take the request ({@link
     * HttpAnswer#isTaken}) ends as failed, and the message is tried again. With any other error of the target (500 and above)
     * it is unknown whether the request took effect. Every other answer is an answer, also a business "no".
     */
    public static HttpAnswer outcome(HttpAnswer answer) throws Failed, Unknown {
        if (!answer.isTaken()) {
            throw new Failed(
                    Failed.Cause.ROLLED_BACK, "the target did not accept the request: status " + answer.status());
        }
        if (answer.status() >= FAULTS) {
            throw new Unknown(Unknown.Cause.ERROR, "the target answered with status " + answer.status());
        }
        return answer;
    }

    /** Whether a message omits a field: one of the message itself, or of the connection that the request was received on. */
    public static boolean isOmitted(Header field) {
        String name = field.name().toLowerCase(Locale.ROOT);
        return name.equals("penstock-id") || name.equals("content-length") || name.equals("host");
    }
}
