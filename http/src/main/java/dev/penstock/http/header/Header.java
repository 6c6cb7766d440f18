package dev.penstock.http.header;

import java.util.regex.Pattern;

/**
 * One header field of a request or an answer (RFC 9110 section 5). Immutable.
 *
 * <p>Validated on creation, so a value can never end its line and inject another field.
 *
 * @param name a token in its original case; comparison ignores case
 * @param value visible characters, spaces, tabs, and the upper half of Latin-1; leading and trailing spaces and tabs are
 *     stripped (RFC 9110 section 5.6.3)
 */
public record Header(String name, String value) {
    /** The name of the field with the time left for an answer, in milliseconds. */
    public static final String DEADLINE = "Penstock-Deadline-Ms";

    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";
    private static final boolean[] TOKEN = token();
    private static final Pattern CREDENTIAL =
            Pattern.compile("auth|cookie|token|key|secret|session|sign|credential|cert", Pattern.CASE_INSENSITIVE);

    /**
     * Validates name and value.
     *
     * @throws IllegalArgumentException if the name is not a token, or the value has a character that is not allowed
     */
    public Header {
        value = stripped(value);
        if (!isToken(name)) {
            throw new IllegalArgumentException("a header name may only have letters, digits and " + TOKEN_MARKS);
        }
        for (int i = 0; i < value.length(); i++) {
            if (!isFieldCharacter(value.charAt(i))) {
                throw new IllegalArgumentException("the value of header " + name + " has a character at " + i
                        + " that is not allowed in a header: encode it");
            }
        }
    }

    /** Whether this field has that name, ignoring case. */
    public boolean is(String other) {
        return name.equalsIgnoreCase(other);
    }

    private static String stripped(String value) {
        int from = 0;
        int to = value.length();
        while (from < to && isWhiteSpace(value.charAt(from))) {
            from++;
        }
        while (from < to && isWhiteSpace(value.charAt(to - 1))) {
            to--;
        }
        return value.substring(from, to);
    }

    private static boolean isWhiteSpace(char c) {
        return c == ' ' || c == '\t';
    }

    /**
     * Whether its name indicates a credential: Authorization, Cookie, and any name that contains auth, token, key, secret,
     * session, sign, credential or cert. Requests that differ in such a field never share a call or an answer.
     */
    public boolean isCredential() {
        return CREDENTIAL.matcher(name).find();
    }

    /** Whether a text is a token (RFC 9110 section 5.6.2), as methods and names of fields are. */
    public static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= TOKEN.length || !TOKEN[c]) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** For each character, whether a token may contain it. */
    private static boolean[] token() {
        boolean[] token = new boolean[128];
        for (char c = 0; c < token.length; c++) {
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            token[c] = plain || TOKEN_MARKS.indexOf(c) >= 0;
        }
        return token;
    }

    private static boolean isFieldCharacter(char c) {
        return c == '\t' || (c >= ' ' && c <= '~') || (c >= 0x80 && c <= 0xFF);
    }
}
