package dev.penstock.gateway.config;

/** Shows a piece of a file inside a message: on one line, not too long, nothing that a terminal would obey. */
public final class Quoted {
    private static final int LONGEST = 60;

    private Quoted() {}

    /** The text between double quotes. */
    public static String of(String text) {
        return '"' + plain(text) + '"';
    }

    /** The beginning of the text, made safe to print. */
    public static String plain(String text) {
        int length = text.codePointCount(0, text.length());
        return length > LONGEST ? whole(text.substring(0, text.offsetByCodePoints(0, LONGEST))) + "..." : whole(text);
    }

    /** The text as it is, made safe to print. */
    static String whole(String text) {
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
