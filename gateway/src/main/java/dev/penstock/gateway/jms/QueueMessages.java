package dev.penstock.gateway.jms;

import dev.penstock.Failed;
import dev.penstock.gateway.status.StatusJson;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.gateway.transport.MessageFields;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.jms.JmsMessage;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts HTTP requests and answers to messages and back. Header fields become properties, see {@link PropertyNames};
 * several fields of one name are joined with commas. The properties {@value MessageFields#ID}, {@value
 * MessageFields#METHOD} and {@value MessageFields#PATH}
 * contain the id, the method and the path below the path of the flow; {@value #STATUS} the status of an answer.
 *
 * <p>A UTF-8 body with a text, JSON or XML type is sent as a text message, any other as a bytes message. Both are
 * restored byte for byte.
 */
final class QueueMessages {
    static final String STATUS = "penstock_status";

    private static final String TYPE = "Content-Type";
    private static final Pattern TEXT =
            Pattern.compile("(text/.*|[^;]*[/+](json|xml)) *(;.*)?", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern OTHER_CHARSET =
            Pattern.compile(".*charset *= *\"?(?!utf-8|us-ascii).*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private QueueMessages() {}

    /**
     * Converts a request to a message.
     *
     * @param base the path of its flow, which is removed
     */
    static JmsMessage message(HttpCall call, String base) {
        JmsMessage message = withHeaders(message(call.body(), call.headers()), call.headers());
        String id = call.headers().first(TransactionIds.HEADER);
        message = id == null ? message : message.withProperty(MessageFields.ID, id);
        message = call.method().equals("POST") ? message : message.withProperty(MessageFields.METHOD, call.method());
        String rest = MessageFields.rest(call.path(), base);
        return rest.isEmpty() ? message : message.withProperty(MessageFields.PATH, rest);
    }

    /** Converts an answer to a message. */
    static JmsMessage message(HttpAnswer answer) {
        return withHeaders(message(answer.body(), answer.headers()), answer.headers())
                .withProperty(STATUS, answer.status());
    }

    private static JmsMessage message(byte[] body, Headers headers) {
        String type = headers.first(TYPE);
        boolean isText = type != null
                && TEXT.matcher(type).matches()
                && !OTHER_CHARSET.matcher(type).matches();
        String text = isText ? StatusJson.text(body) : null;
        return text == null ? JmsMessage.bytes(body) : JmsMessage.text(text);
    }

    private static JmsMessage withHeaders(JmsMessage message, Headers headers) {
        JmsMessage all = message;
        for (Header field : headers) {
            String name = PropertyNames.ofHeader(field.name());
            if (!MessageFields.isOmitted(field) && !all.properties().containsKey(name)) {
                String between = field.is("Cookie") ? "; " : ", ";
                all = all.withProperty(name, String.join(between, headers.all(field.name())));
            }
        }
        return all;
    }

    /**
     * Converts a message to a request. Properties that are not valid header fields are omitted.
     *
     * @param key the property with its key, sent as Idempotency-Key unless the message has that header; null
     *     for none
     * @throws Failed cause {@code REFUSED}: its method or path is invalid
     */
    static HttpCall call(JmsMessage message, @Nullable String key) throws Failed {
        return MessageFields.call(
                message.property(MessageFields.METHOD),
                message.property(MessageFields.PATH),
                headers(message),
                key == null ? null : message.key(key),
                message.body());
    }

    private static Headers headers(JmsMessage message) {
        Headers headers = Headers.none();
        for (Map.Entry<String, Object> property : message.properties().entrySet()) {
            String name = PropertyNames.header(property.getKey());
            headers = name == null
                    ? headers
                    : replaced(headers, name, property.getValue().toString());
        }
        return headers;
    }

    /** Different properties can be the same field: the last one counts. One that is not a valid field is left out. */
    private static Headers replaced(Headers headers, String name, String value) {
        try {
            return headers.with(name, value);
        } catch (IllegalArgumentException none) {
            return headers;
        }
    }
}
