package dev.penstock.gateway.jdbc;

import dev.penstock.gateway.jdbc.JdbcTo.Parameter;
import dev.penstock.http.HttpCall;
import dev.penstock.http.source.BadInput;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.JsonText;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the parameter values of a statement from an HTTP request: from its JSON body, its query and its headers. A
 * missing value is reported before the request enters the flow.
 *
 * @param parameters the parameters of the statement
 * @param given configured sources; other parameters are looked up by name in body, query and headers
 * @param names headers that stages read, such as the idempotency key
 */
record ParameterReader(Set<String> parameters, Map<String, Parameter> given, List<String> names) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /**
     * Reads the values from a request.
     *
     * @throws BadInput the body is not a JSON object, or a parameter is missing
     */
    JdbcRequest read(HttpCall call) {
        JsonNode body = body(call.body());
        Map<String, String> query = query(call.path());
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (String name : parameters) {
            Parameter from = given.get(name);
            switch (from) {
                case null -> anywhere(name, call, body, query, values);
                case Parameter.Json(String pointer) ->
                    put(name, body == null ? null : body.at(pointer), pointer, values);
                case Parameter.Header(String header) ->
                    put(name, call.headers().first(header), "the header " + header, values);
                case Parameter.Query(String key) -> put(name, query.get(key), "the query " + key, values);
            }
        }
        JdbcRequest request = JdbcRequest.of(values);
        for (String name : names) {
            String value = call.headers().first(name);
            request = value == null || value.isEmpty() ? request : request.named(name, value);
        }
        return request;
    }

    private static void anywhere(
            String name,
            HttpCall call,
            @Nullable JsonNode body,
            Map<String, String> query,
            Map<String, @Nullable Object> values) {
        JsonNode member = body == null ? null : body.get(name);
        if (member != null) {
            values.put(name, value(member));
        } else if (query.containsKey(name)) {
            values.put(name, query.get(name));
        } else {
            put(name, call.headers().first(name), "body, query and header", values);
        }
    }

    private static void put(String name, @Nullable Object found, String where, Map<String, @Nullable Object> values) {
        if (found == null || (found instanceof JsonNode node && node.isMissingNode())) {
            throw new BadInput(400, "Missing parameter " + name + " (" + where + ").");
        }
        values.put(name, found instanceof JsonNode node ? value(node) : found);
    }

    private static @Nullable Object value(JsonNode node) {
        return switch (node.getNodeType()) {
            case NULL -> null;
            case STRING -> node.stringValue();
            case BOOLEAN -> node.booleanValue();
            case NUMBER -> node.canConvertToLong() && node.isIntegralNumber() ? node.longValue() : node.decimalValue();
            default -> new JsonText(node.toString());
        };
    }

    private static @Nullable JsonNode body(byte[] body) {
        if (body.length == 0) {
            return null;
        }
        try {
            JsonNode read = JSON.readTree(body);
            if (read.isObject()) {
                return read;
            }
        } catch (JacksonException broken) {
            throw new BadInput(400, "The body is not valid JSON.");
        }
        throw new BadInput(400, "The body is not a JSON object.");
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
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException broken) {
            throw new BadInput(400, "The query contains an invalid percent escape.");
        }
    }
}
