package dev.penstock.gateway;

import dev.penstock.Failed;
import dev.penstock.http.Header;
import dev.penstock.http.Headers;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.jms.JmsMessage;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Requests and answers over HTTP as messages, and back. Header fields are properties, see {@link PropertyNames}; several of
 * one name are one, with commas between. What the id, the method and the path below the flow's own were stands in {@value #ID},
 * {@value #METHOD} and {@value #PATH}; the status of an answer in {@value #STATUS}.
 *
 * <p>A body whose type says that it is text, JSON or XML, and that is UTF-8, travels as text, any other as bytes; both come
 * back byte for byte.
 */
final class QueueMessages {
    static final String ID = "penstock_id";
    static final String METHOD = "penstock_method";
    static final String PATH = "penstock_path";
    static final String STATUS = "penstock_status";

    /** The header by which a transaction has its id within the gateway. */
    static final String ID_HEADER = "Penstock-Id";

    static final String KEY_HEADER = "Idempotency-Key";

    private static final String TYPE = "Content-Type";
    private static final Pattern TEXT =
            Pattern.compile("(text/.*|[^;]*[/+](json|xml)) *(;.*)?", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern OTHER_CHARSET =
            Pattern.compile(".*charset *= *\"?(?!utf-8|us-ascii).*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private QueueMessages() {}

    /**
     * A request as a message.
     *
     * @param base the path of its flow, which stays behind
     */
    static JmsMessage message(HttpCall call, String base) {
        JmsMessage message = withHeaders(message(call.body(), call.headers()), call.headers());
        String id = call.headers().first(ID_HEADER);
        message = id == null ? message : message.withProperty(ID, id);
        message = call.method().equals("POST") ? message : message.withProperty(METHOD, call.method());
        String rest = rest(call.path(), base);
        return rest.isEmpty() ? message : message.withProperty(PATH, rest);
    }

    /** What stands behind the path of a flow, with the query. */
    private static String rest(String path, String base) {
        String own = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        String rest = path.startsWith(own) ? path.substring(own.length()) : path;
        return rest.equals("/") ? "" : rest;
    }

    /** An answer as a message. */
    static JmsMessage message(HttpAnswer answer) {
        return withHeaders(message(answer.body(), answer.headers()), answer.headers())
                .withProperty(STATUS, answer.status());
    }

    private static JmsMessage message(byte[] body, Headers headers) {
        String type = headers.first(TYPE);
        boolean isText = type != null
                && TEXT.matcher(type).matches()
                && !OTHER_CHARSET.matcher(type).matches();
        String text = isText ? text(body) : null;
        return text == null ? JmsMessage.bytes(body) : JmsMessage.text(text);
    }

    /** The text that these bytes are in UTF-8; null when they are none. */
    static @Nullable String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException other) {
            return null;
        }
    }

    private static JmsMessage withHeaders(JmsMessage message, Headers headers) {
        JmsMessage all = message;
        for (Header field : headers) {
            String name = PropertyNames.ofHeader(field.name());
            if (!isOurs(field) && !all.properties().containsKey(name)) {
                String between = field.is("Cookie") ? "; " : ", ";
                all = all.withProperty(name, String.join(between, headers.all(field.name())));
            }
        }
        return all;
    }

    /** Of the message itself, or of the one connection that it came by. */
    private static boolean isOurs(Header field) {
        String name = field.name().toLowerCase(Locale.ROOT);
        return name.equals("penstock-id") || name.equals("content-length") || name.equals("host");
    }

    /**
     * A message as a request. Properties that can be no header field are left out.
     *
     * @param key what its key is called, sent as {@value #KEY_HEADER} when the message bears none; null for none
     * @throws Failed cause {@code REFUSED}: its method or its path cannot be one
     */
    static HttpCall call(JmsMessage message, @Nullable String key) throws Failed {
        Headers headers = headers(message);
        String value = key == null ? null : message.key(key);
        if (value != null && !value.isEmpty() && !headers.has(KEY_HEADER)) {
            headers = withField(headers, KEY_HEADER, value);
        }
        String method = message.property(METHOD);
        String path = message.property(PATH);
        try {
            return HttpCall.of(
                    method == null ? "POST" : method,
                    path == null || !path.startsWith("/") ? "/" + (path == null ? "" : path) : path,
                    headers,
                    message.body());
        } catch (IllegalArgumentException wrong) {
            throw new Failed(Failed.Cause.REFUSED, "this message is no request: " + wrong.getMessage());
        }
    }

    private static Headers headers(JmsMessage message) {
        Headers headers = Headers.none();
        for (Map.Entry<String, Object> property : message.properties().entrySet()) {
            String name = PropertyNames.header(property.getKey());
            headers = name == null
                    ? headers
                    : withField(headers, name, property.getValue().toString());
        }
        return headers;
    }

    private static Headers withField(Headers headers, String name, String value) {
        try {
            return headers.with(name, value);
        } catch (IllegalArgumentException none) {
            return headers;
        }
    }
}
