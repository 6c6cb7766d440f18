package dev.penstock.gateway.config;

/** Makes text of a file safe for messages: one line, limited length, no control characters. */
public final class Quoted {
    private static final int MAX_LENGTH = 60;

    private Quoted() {}

    /** The text between double quotes. */
    public static String of(String text) {
        return '"' + plain(text) + '"';
    }

    /** The beginning of the text, made safe to print. */
    public static String plain(String text) {
        int length = text.codePointCount(0, text.length());
        return length > MAX_LENGTH
                ? whole(text.substring(0, text.offsetByCodePoints(0, MAX_LENGTH))) + "..."
                : whole(text);
    }

    /** The text as it is, made safe to print. */
    public static String whole(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                shown.append("\\u%04x".formatted(c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }
}
