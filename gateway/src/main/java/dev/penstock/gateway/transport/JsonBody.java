package dev.penstock.gateway.transport;

import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.http.source.BadInput;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads JSON objects in bodies of requests. */
public final class JsonBody {
    /** A place in a body: a JSON pointer (RFC 6901), for instance /customer/id. */
    public static final KeyType<String> POINTER = KeyType.text("a JSON pointer", JsonBody::pointer);

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private JsonBody() {}

    private static @Nullable String pointer(ConfigValue value) {
        String text = value.text();
        if (text == null || text.matches("(/([^~/]|~[01])*)+")) {
            return text;
        }
        value.refuseValue("which is not a JSON pointer", "write for instance /customer/id");
        return null;
    }

    /**
     * The text at a place of a body; null if there is none, or the body is not a JSON object.
     *
     * @param pointer a JSON pointer
     */
    public static @Nullable String text(byte[] body, String pointer) {
        try {
            JsonNode object = read(body);
            JsonNode found = object == null ? null : object.at(pointer);
            return found == null || found.isMissingNode() || found.isNull()
                    ? null
                    : found.isString() ? found.stringValue() : found.toString();
        } catch (BadInput notJson) {
            return null;
        }
    }

    /**
     * The object in a body; null for an empty one.
     *
     * @throws BadInput the body is not a JSON object
     */
    public static @Nullable JsonNode read(byte[] body) {
        if (body.length == 0) {
            return null;
        }
        try (JsonParser parser = JSON.createParser(body)) {
            // The JSON reader accepts malformed UTF-8, and changes it.
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
            return object(parser);
        } catch (CharacterCodingException broken) {
            throw new BadInput(400, "The body is not valid UTF-8.");
        }
    }

    private static JsonNode object(JsonParser parser) {
        try {
            JsonNode read = JSON.readTree(parser);
            if (read != null && read.isObject() && parser.nextToken() == null) {
                return read;
            }
        } catch (StreamConstraintsException | NumberFormatException large) {
            throw new BadInput(
                    400,
                    "The body has a number with more than 1,000 characters or too large an exponent, or nests values more than 500 deep"
                            + place(parser) + ".");
        } catch (JacksonException broken) {
            throw new BadInput(400, "The body is not valid JSON" + place(parser) + ".");
        }
        throw new BadInput(400, "The body is not a JSON object.");
    }

    private static String place(JsonParser parser) {
        String pointer = parser.streamReadContext().pathAsPointer().toString();
        return pointer.isEmpty() ? "" : " (" + pointer + ")";
    }
}
