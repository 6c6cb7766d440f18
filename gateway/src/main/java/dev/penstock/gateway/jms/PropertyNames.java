package dev.penstock.gateway.jms;

import dev.penstock.gateway.config.TelemetryConfig;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts names of HTTP header fields to names of JMS properties, which are Java identifiers, and back.
 *
 * <p>As in Apache Camel, {@code -} becomes {@code _HYPHEN_} and {@code .} becomes {@code _DOT_}. Other characters of a
 * token (RFC 9110 section 5.6.2) become {@code _xNN_} with their code; so does an underscore that looks like the start
 * of such a code. Header names are case-insensitive and property names are not, so each word is capitalised: {@code
 * idempotency-key} becomes {@code Idempotency_HYPHEN_Key}.
 */
final class PropertyNames {
    private static final String HYPHEN = "_HYPHEN_";
    private static final String DOT = "_DOT_";
    private static final Pattern CODED = Pattern.compile("_HYPHEN_|_DOT_|_x([0-9a-f]{2})_");

    /** The next character is an underscore, or encoded and so begins with one. */
    private static final Pattern LIKE_CODE = Pattern.compile("_[xX][0-9a-fA-F]{2}[^A-Za-z0-9$]");

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");

    /** Reserved by JMS (section 3.5.1 of JMS 3.1), by Penstock and by the broker. */
    private static final Pattern RESERVED = Pattern.compile("JMSX.*|JMS_.*|penstock_.*|_+AMQ.*", Pattern.DOTALL);

    private PropertyNames() {}

    /** The property for a header field. The fields of a trace keep their names, as other clients read them. */
    static String ofHeader(String header) {
        String field = header.toLowerCase(Locale.ROOT);
        if (TelemetryConfig.FIELDS.contains(field)) {
            return field;
        }
        StringBuilder name = new StringBuilder();
        boolean startsWord = true;
        for (int i = 0; i < header.length(); i++) {
            char c = header.charAt(i);
            switch (c) {
                case '-' -> name.append(HYPHEN);
                case '.' -> name.append(DOT);
                case '_' ->
                    name.append(
                            LIKE_CODE.matcher(header).region(i, header.length()).lookingAt() ? "_x5f_" : "_");
                default -> name.append(startsWord ? coded(Character.toUpperCase(c), name) : coded(lower(c), name));
            }
            startsWord = c == '-';
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

    /**
     * The property for a name in the flow file: the name itself if it is an identifier, else the property for the
     * header of that name.
     */
    static String ofWord(String word) {
        return IDENTIFIER.matcher(word).matches() ? word : ofHeader(word);
    }

    /** The header field of a property; null for a reserved property. */
    static @Nullable String header(String property) {
        if (RESERVED.matcher(property).matches()) {
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
