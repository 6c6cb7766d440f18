package dev.penstock.http.batch;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Finds the boundaries of JSON values (RFC 8259) and keeps their bytes unchanged: a number with forty digits stays as it is.
 * Strict: anything that another parser could interpret differently, such as a byte order mark or invalid UTF-8, is rejected,
 * because requests of several clients are combined in one text.
 */
final class JsonScanner {
    /** Maximum nesting depth: enough for real documents, and cheap in memory. */
    private static final int MAX_DEPTH = 1_000;

    private static final JsonFactory VALUE = factory(MAX_DEPTH);

    /** One level more, for the array around the values. */
    private static final JsonFactory ARRAY = factory(MAX_DEPTH + 1);

    private JsonScanner() {}

    /** Sizes are limited where the bytes are received. */
    private static JsonFactory factory(int deepest) {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(deepest)
                        .maxNumberLength(Integer.MAX_VALUE)
                        .maxStringLength(Integer.MAX_VALUE)
                        .maxNameLength(Integer.MAX_VALUE)
                        .build())
                .build();
    }

    /** Whether a text is exactly one value, possibly surrounded by white space. */
    static boolean isValue(byte[] text) {
        return value(text) != null;
    }

    /** The only value in a text, without surrounding white space; null if there is none or more than one. */
    static byte @Nullable [] value(byte[] text) {
        if (!isPlainUtf8(text)) {
            return null;
        }
        try (JsonParser parser = parser(VALUE, text)) {
            if (parser.nextToken() == null) {
                return null;
            }
            int from = (int) parser.currentTokenLocation().getByteOffset();
            int to = end(parser, text);
            if (parser.nextToken() != null) {
                return null;
            }
            return from == 0 && to == text.length ? text : Arrays.copyOfRange(text, from, to);
        } catch (JacksonException broken) {
            return null;
        }
    }

    /** The elements of an array, unchanged; null if the text is not an array. */
    static @Nullable List<byte[]> elements(byte[] text) {
        if (!isPlainUtf8(text)) {
            return null;
        }
        try (JsonParser parser = parser(ARRAY, text)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                return null;
            }
            List<byte[]> elements = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                int from = (int) parser.currentTokenLocation().getByteOffset();
                elements.add(Arrays.copyOfRange(text, from, end(parser, text)));
            }
            return parser.nextToken() == null ? elements : null;
        } catch (JacksonException broken) {
            return null;
        }
    }

    /**
     * Returns a member of an object that is a string or a number: a string with a leading quotation mark, so that it differs
     * from any number; a number as written.
     *
     * @return null if the member is missing, occurs several times, or has another type
     */
    static @Nullable String member(byte[] object, String name) {
        try (JsonParser parser = parser(VALUE, object)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            String found = null;
            int times = 0;
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean wanted = name.equals(parser.currentName());
                JsonToken token = parser.nextToken();
                if (wanted) {
                    // Parsers disagree on which of duplicate members counts.
                    times++;
                    found = scalar(parser, token);
                }
                parser.skipChildren();
            }
            return times > 1 ? null : found;
        } catch (JacksonException broken) {
            return null;
        }
    }

    private static @Nullable String scalar(JsonParser parser, JsonToken token) {
        return switch (token) {
            case VALUE_STRING -> '"' + parser.getString();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getString();
            default -> null;
        };
    }

    private static JsonParser parser(JsonFactory factory, byte[] text) {
        return factory.createParser(ObjectReadContext.empty(), text, 0, text.length);
    }

    /** Skips the current value, and returns the position after it. */
    private static int end(JsonParser parser, byte[] text) {
        parser.skipChildren();
        parser.finishToken();
        int to = (int) parser.currentLocation().getByteOffset();
        // After a top-level number, the parser has also consumed the following space.
        while (text[to - 1] <= ' ' && text[to - 1] > 0) {
            to--;
        }
        return to;
    }

    /** Whether the text is UTF-8 without byte order mark and without zero bytes, which indicate UTF-16 or UTF-32. */
    private static boolean isPlainUtf8(byte[] text) {
        boolean ascii = true;
        for (byte one : text) {
            if (one == 0) {
                return false;
            }
            ascii &= one > 0;
        }
        return ascii || (text[0] != (byte) 0xEF && isUtf8(text));
    }

    private static boolean isUtf8(byte[] text) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
            return true;
        } catch (CharacterCodingException wrong) {
            return false;
        }
    }
}
