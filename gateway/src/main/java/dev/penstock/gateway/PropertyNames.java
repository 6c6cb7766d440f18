package dev.penstock.gateway;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names of HTTP header fields as names of JMS properties, which are Java identifiers, and back.
 *
 * <p>By the convention of Apache Camel: {@code -} is {@code _HYPHEN_} and {@code .} is {@code _DOT_}. What else a token may
 * have (RFC 9110 section 5.6.2) is {@code _xNN_}, by its code. So is an underscore that seems to begin such a code. The case
 * of a header's name means nothing, that of a property does, so each word begins with a capital: {@code idempotency-key} is
 * {@code Idempotency_HYPHEN_Key}.
 */
final class PropertyNames {
    private static final String HYPHEN = "_HYPHEN_";
    private static final String DOT = "_DOT_";
    private static final Pattern CODED = Pattern.compile("_HYPHEN_|_DOT_|_x([0-9a-f]{2})_");

    /** The character behind it is an underscore, or coded and so begins with one. */
    private static final Pattern LIKE_CODE = Pattern.compile("_[xX][0-9a-fA-F]{2}[^A-Za-z0-9$]");

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");

    /** JMS has these for itself (section 3.5.1 of JMS 3.1), we and the broker the others. */
    private static final Pattern NO_HEADER = Pattern.compile("JMSX.*|JMS_.*|penstock_.*|_+AMQ.*", Pattern.DOTALL);

    private PropertyNames() {}

    /** The property that bears a header field. */
    static String ofHeader(String header) {
        StringBuilder name = new StringBuilder();
        boolean begins = true;
        for (int i = 0; i < header.length(); i++) {
            char c = header.charAt(i);
            switch (c) {
                case '-' -> name.append(HYPHEN);
                case '.' -> name.append(DOT);
                case '_' ->
                    name.append(
                            LIKE_CODE.matcher(header).region(i, header.length()).lookingAt() ? "_x5f_" : "_");
                default -> name.append(begins ? coded(Character.toUpperCase(c), name) : coded(lower(c), name));
            }
            begins = c == '-';
        }
        return name.toString();
    }

    private static char lower(char c) {
        return Character.toLowerCase(c);
    }

    private static String coded(char c, StringBuilder before) {
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
        boolean digit = c >= '0' && c <= '9' && !before.isEmpty();
        return letter || digit ? String.valueOf(c) : "_x%02x_".formatted((int) c);
    }

    /** The property that a word of the file means: itself where it can be one, else that of the header of that name. */
    static String ofWord(String word) {
        return IDENTIFIER.matcher(word).matches() ? word : ofHeader(word);
    }

    /** The header field that a property bears; null when it is none. */
    static @Nullable String header(String property) {
        if (NO_HEADER.matcher(property).matches()) {
            return null;
        }
        Matcher coded = CODED.matcher(property);
        return coded.replaceAll(found -> Matcher.quoteReplacement(character(found.group(), found.group(1))));
    }

    private static String character(String word, @Nullable String code) {
        return code != null
                ? String.valueOf((char) Integer.parseInt(code, 16))
                : word.toUpperCase(Locale.ROOT).equals(HYPHEN) ? "-" : ".";
    }
}
