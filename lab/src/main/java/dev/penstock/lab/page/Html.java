package dev.penstock.lab.page;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Builds HTML. Texts and attribute values are escaped; elements are closed in reverse order. */
final class Html {
    private final StringBuilder out = new StringBuilder(1 << 16);
    private final Deque<String> opened = new ArrayDeque<>();

    /**
     * Opens an element. {@code attributes} are alternating names and values; attributes with null values are omitted.
     */
    Html open(String tag, @Nullable String... attributes) {
        start(tag, attributes);
        out.append('>');
        opened.push(tag);
        return this;
    }

    /** Closes the innermost open element. */
    Html close() {
        out.append("</").append(opened.pop()).append('>');
        return this;
    }

    /** Closes this many elements, innermost first. */
    Html close(int many) {
        for (int i = 0; i < many; i++) {
            close();
        }
        return this;
    }

    /** Adds an element that contains only text. */
    Html element(String tag, String text, @Nullable String... attributes) {
        return open(tag, attributes).text(text).close();
    }

    /** Adds an SVG shape, or an empty HTML element. */
    Html shape(String tag, @Nullable String... attributes) {
        start(tag, attributes);
        out.append("/>");
        return this;
    }

    Html text(String text) {
        escape(text);
        return this;
    }

    /** Adds unescaped markup, script or style; never user input. */
    Html raw(String markup) {
        out.append(markup);
        return this;
    }

    /** Adds a line feed, for readable source. */
    Html line() {
        out.append('\n');
        return this;
    }

    @Override
    public String toString() {
        return out.toString();
    }

    private void start(String tag, @Nullable String... attributes) {
        if (attributes.length % 2 != 0) {
            throw new IllegalArgumentException("the attributes of " + tag + " are not name-value pairs");
        }
        out.append('<').append(tag);
        for (int i = 0; i < attributes.length; i += 2) {
            String value = attributes[i + 1];
            if (value != null) {
                out.append(' ').append(attributes[i]).append("=\"");
                escape(value);
                out.append('"');
            }
        }
    }

    private void escape(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                case '\t', '\n' -> out.append(c);
                // Characters not allowed in documents, and those that change the text direction.
                default -> out.append(isAllowed(c) ? c : '\uFFFD');
            }
        }
    }

    private static boolean isAllowed(char c) {
        return !Character.isISOControl(c) && (c < '\u202A' || c > '\u202E') && (c < '\u2066' || c > '\u2069');
    }
}
