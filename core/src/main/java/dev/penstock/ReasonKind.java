package dev.penstock;

import org.jspecify.annotations.Nullable;

/** Normalizes a text for grouping: replaces tokens that contain a digit, except codes. No side effects but the output. */
final class ReasonKind {
    /** How many characters of a text are read. */
    private static final int MOST = 200;

    /** A token after one of these words is a code and is kept. */
    private static final String[] BEFORE_CODES = {"SQLState", "answered", "status", "code"};

    private static final String[] UNITS = {"ns", "us", "ms", "s", "min"};

    private ReasonKind() {}

    /** Appends the first line of a text, with each token that contains a digit replaced by {@code #}. */
    static void append(@Nullable String text, StringBuilder to) {
        if (text == null) {
            return;
        }
        int end = Math.min(text.length(), MOST);
        int i = 0;
        while (i < end && text.charAt(i) != '\n' && text.charAt(i) != '\r') {
            int start = i;
            boolean digit = false;
            while (i < end && Character.isLetterOrDigit(text.charAt(i))) {
                digit |= Character.isDigit(text.charAt(i));
                i++;
            }
            if (i == start) {
                to.append(text.charAt(i++));
            } else if (digit && !isCode(text, start)) {
                appendNumber(to);
            } else if (isUnit(text, start, i) && endsWith(to, "# ")) {
                to.setLength(to.length() - 1);
            } else {
                to.append(text, start, i);
            }
        }
    }

    /** Merges numbers joined by dots, such as decimals and IP addresses, into one {@code #}. */
    private static void appendNumber(StringBuilder to) {
        if (endsWith(to, "#.")) {
            to.setLength(to.length() - 1);
        } else {
            to.append('#');
        }
    }

    /** The unit of a duration is dropped, because it changes with the size of the number. */
    private static boolean isUnit(String text, int start, int end) {
        for (String unit : UNITS) {
            if (unit.length() == end - start && text.startsWith(unit, start)) {
                return true;
            }
        }
        return false;
    }

    private static boolean endsWith(StringBuilder text, String end) {
        int from = text.length() - end.length();
        return from >= 0 && text.indexOf(end, from) == from;
    }

    private static boolean isCode(String text, int start) {
        int end = start;
        while (end > 0 && (text.charAt(end - 1) == ' ' || text.charAt(end - 1) == ':')) {
            end--;
        }
        for (String word : BEFORE_CODES) {
            if (end < start && text.regionMatches(end - word.length(), word, 0, word.length())) {
                return true;
            }
        }
        return false;
    }
}
