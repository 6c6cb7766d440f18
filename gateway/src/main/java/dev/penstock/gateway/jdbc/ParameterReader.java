package dev.penstock.gateway.jdbc;

import dev.penstock.gateway.jdbc.JdbcTo.Parameter;
import dev.penstock.gateway.transport.JsonBody;
import dev.penstock.http.HttpCall;
import dev.penstock.http.source.BadInput;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.JsonText;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the parameter values of a statement from an HTTP request: from its JSON body, its query and its headers. A
 * missing value is reported before the request enters the flow.
 *
 * @param parameters the parameters of the statement
 * @param given configured sources; other parameters are looked up by name in body, query and headers
 * @param names headers that stages read, such as the idempotency key
 */
record ParameterReader(Set<String> parameters, Map<String, Parameter> given, List<String> names) {
    /**
     * Reads the values from a request.
     *
     * @throws BadInput the body is not a JSON object, a parameter is missing, or no database stores it as given
     */
    JdbcRequest read(HttpCall call) {
        JsonNode body = JsonBody.read(call.body());
        Map<String, String> query = query(call.path());
        JdbcRequest request = JdbcRequest.empty();
        for (String name : parameters) {
            request = switch (given.get(name)) {
                case null -> anywhere(name, call, body, query, request);
                case Parameter.Json(String pointer) ->
                    with(name, body == null ? null : body.at(pointer), pointer, request);
                case Parameter.Header(String header) ->
                    with(name, call.headers().first(header), "the header " + header, request);
                case Parameter.Query(String key) -> with(name, query.get(key), "the query " + key, request);
            };
        }
        for (String name : names) {
            String value = call.headers().first(name);
            request = value == null || value.isEmpty() ? request : request.named(name, value);
        }
        return request;
    }

    private static JdbcRequest anywhere(
            String name, HttpCall call, @Nullable JsonNode body, Map<String, String> query, JdbcRequest request) {
        JsonNode member = body == null ? null : body.get(name);
        if (member != null) {
            return with(name, member, "/" + name, request);
        }
        return query.containsKey(name)
                ? with(name, query.get(name), "the query " + name, request)
                : with(name, call.headers().first(name), "body, query and header", request);
    }

    private static JdbcRequest with(String name, @Nullable Object found, String where, JdbcRequest request) {
        if (found == null || (found instanceof JsonNode node && node.isMissingNode())) {
            throw new BadInput(400, "Missing parameter " + name + " (" + where + ").");
        }
        try {
            return request.with(name, found instanceof JsonNode node ? value(name, node) : found);
        } catch (IllegalArgumentException notStorable) {
            throw new BadInput(400, "Invalid " + notStorable.getMessage() + " (" + where + ").");
        }
    }

    private static @Nullable Object value(String name, JsonNode node) {
        return switch (node.getNodeType()) {
            case NULL -> null;
            case STRING -> node.stringValue();
            case BOOLEAN -> node.booleanValue();
            case NUMBER -> node.isIntegralNumber() && node.canConvertToLong() ? node.longValue() : node.decimalValue();
            default -> {
                checkNumbers(name, node);
                yield new JsonText(node.toString());
            }
        };
    }

    /** The numbers within a JSON value have the same bounds, since a database may compute them. */
    private static void checkNumbers(String name, JsonNode node) {
        if (node.isNumber()) {
            JdbcRequest.of(name, value(name, node));
        }
        node.forEach(each -> checkNumbers(name, each));
    }

    private static Map<String, String> query(String path) {
        int mark = path.indexOf('?');
        Map<String, String> query = new LinkedHashMap<>();
        for (String pair : mark < 0 ? new String[0] : path.substring(mark + 1).split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                query.putIfAbsent(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
            }
        }
        return query;
    }

    private static String decoded(String text) {
        try {
            byte[] bytes = URLDecoder.decode(text, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException broken) {
            throw new BadInput(400, "The query contains an invalid percent escape, or is not valid UTF-8.");
        }
    }
}
