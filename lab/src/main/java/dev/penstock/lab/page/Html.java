package dev.penstock.lab.page;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Markup as it grows. Texts and the values of attributes are escaped; elements close in the order in which they opened. */
final class Html {
    private final StringBuilder out = new StringBuilder(1 << 16);
    private final Deque<String> opened = new ArrayDeque<>();

    /** Opens an element. {@code attributes} are names and values in turn; one whose value is null is left out. */
    Html open(String tag, @Nullable String... attributes) {
        start(tag, attributes);
        out.append('>');
        opened.push(tag);
        return this;
    }

    /** Closes what was opened last. */
    Html close() {
        out.append("</").append(opened.pop()).append('>');
        return this;
    }

    /** Closes so many, innermost first. */
    Html close(int many) {
        for (int i = 0; i < many; i++) {
            close();
        }
        return this;
    }

    /** An element with nothing but text in it. */
    Html element(String tag, String text, @Nullable String... attributes) {
        return open(tag, attributes).text(text).close();
    }

    /** A shape of SVG, or an element of HTML that has no content. */
    Html shape(String tag, @Nullable String... attributes) {
        start(tag, attributes);
        out.append("/>");
        return this;
    }

    Html text(String text) {
        escape(text);
        return this;
    }

    /** Adds what is markup already, or what stands inside a script or style; never anything a user gave. */
    Html raw(String markup) {
        out.append(markup);
        return this;
    }

    /** A line feed, so that the source can be read. */
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
            throw new IllegalArgumentException("the attributes of " + tag + " are not names and values in turn");
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
                // What no document may hold, and what turns the direction of the text around it.
                default -> out.append(isShown(c) ? c : '\uFFFD');
            }
        }
    }

    private static boolean isShown(char c) {
        return !Character.isISOControl(c) && (c < '\u202A' || c > '\u202E') && (c < '\u2066' || c > '\u2069');
    }
}
