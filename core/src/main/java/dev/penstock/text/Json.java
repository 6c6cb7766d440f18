package dev.penstock.text;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON (RFC 8259): maps, lists, strings, numbers, booleans and null. Keys keep their order. */
public final class Json {
    private Json() {}

    /** An object with these members. */
    public static Map<String, Object> object(Object... keysAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            object.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return object;
    }

    /**
     * The value in one line. A number that is not finite becomes null, which JSON has in its place.
     *
     * @throws IllegalArgumentException the value, or one in it, has another type
     */
    public static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(@Nullable Object value, StringBuilder out) {
        switch (value) {
            case null -> out.append("null");
            case CharSequence text -> quote(text, out);
            case Double number -> out.append(Double.isFinite(number) ? number.toString() : "null");
            case Float number -> out.append(Float.isFinite(number) ? number.toString() : "null");
            case Number number -> out.append(number);
            case Boolean is -> out.append(is);
            case Map<?, ?> map -> object(map, out);
            case List<?> list -> array(list, out);
            default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
        }
    }

    private static void object(Map<?, ?> map, StringBuilder out) {
        char before = '{';
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            quote(String.valueOf(entry.getKey()), out.append(before));
            write(entry.getValue(), out.append(':'));
            before = ',';
        }
        out.append(map.isEmpty() ? "{}" : "}");
    }

    private static void array(List<?> list, StringBuilder out) {
        out.append('[');
        for (Iterator<?> values = list.iterator(); values.hasNext(); ) {
            write(values.next(), out);
            out.append(values.hasNext() ? "," : "");
        }
        out.append(']');
    }

    /** Half of a surrogate pair is escaped, because UTF-8 cannot encode it. */
    private static void quote(CharSequence text, StringBuilder out) {
        out.append('"');
        text.codePoints().forEach(point -> {
            switch (point) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (point < ' ' || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE)) {
                        out.append("\\u%04x".formatted(point));
                    } else {
                        out.appendCodePoint(point);
                    }
                }
            }
        });
        out.append('"');
    }
}
