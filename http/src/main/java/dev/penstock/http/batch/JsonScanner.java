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
 * Finds where values begin and end in JSON (RFC 8259), and leaves their bytes as they are: a number with forty digits stays
 * one. Strict: whatever another reader could take in another way, such as a byte order mark or a wrong byte of UTF-8, is
 * no JSON, for requests of several clients stand side by side in one text.
 */
final class JsonScanner {
    /** Deeper than anybody writes by hand, and far from what costs memory. */
    private static final int DEEPEST = 1_000;

    private static final JsonFactory VALUE = factory(DEEPEST);

    /** The array is around values that may be as deep as any. */
    private static final JsonFactory ARRAY = factory(DEEPEST + 1);

    private JsonScanner() {}

    /** Sizes are bounded where the bytes come from. */
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

    /** Whether a text is one value, with nothing but white space around it. */
    static boolean isValue(byte[] text) {
        return value(text) != null;
    }

    /** The one value in a text, without the white space around it; null when there is none, or more. */
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

    /** The elements of an array, each as it is written; null when the text is no array. */
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
     * A member of an object that is a string or a number: a string behind a quotation mark, so that no number is equal to
     * it; a number as it is written.
     *
     * @return null when there is no such member, more than one, or something else in it
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
                    // Which of two is meant, no two readers agree about.
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

    /** Goes over the value that has begun, and tells where it ends. */
    private static int end(JsonParser parser, byte[] text) {
        parser.skipChildren();
        parser.finishToken();
        int to = (int) parser.currentLocation().getByteOffset();
        // Of a number that stands by itself, the parser has also read the space behind it.
        while (text[to - 1] <= ' ' && text[to - 1] > 0) {
            to--;
        }
        return to;
    }

    /** Without a byte order mark, and without the zeros of UTF-16 and UTF-32, which are no characters of JSON either. */
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
