package dev.penstock;

import java.util.regex.Pattern;

/**
 * Sanitizes text from other systems for logs and pages: the first line only, printable, with likely secrets masked. Stateless.
 *
 * @param quotesValues whether to mask data as well: text in single quotes, double-quoted text after a colon, and
 *     everything after {@code VALUES (} or {@code : <}
 */
record SafeText(boolean quotesValues) {
    private static final String HIDDEN = "***";

    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\\u2028\\u2029\\p{Cf}]+");
    private static final Pattern USER_INFO = Pattern.compile("//[^/\\s@]*@");
    private static final Pattern QUERY = Pattern.compile("(://[^\\s?\"']*)\\?[^\\s\"']*");
    private static final Pattern CREDENTIALS = Pattern.compile(
            "(?i)\\b(authorization|cookie|set-cookie)\\b(\"?\\s*[:=]).*|\\b(basic|bearer)\\s+[\\w+/=.~-]{16,}");
    private static final Pattern NAMED_SECRET = Pattern.compile(
            "(?i)([\\w-]*(?:password|passwd|pwd|secret|token|api[_-]?key|credential)[\\w-]*\"?\\s*[=:]\\s*)"
                    + "(?:\"[^\"]*\"|'[^']*'|[^\\s,;&)]+)");
    private static final Pattern LONG_NUMBER = Pattern.compile("\\d{12,}");
    private static final Pattern VALUES =
            Pattern.compile("(?<!\\w)'[^']*'|(?<=: )\"[^\"]*\"|(?<= VALUES )\\(.*|(?<=: ?)<.*");

    String line(String text) {
        String first = text.strip().lines().findFirst().orElse("");
        if (first.length() > 4 * Reason.LONGEST) {
            first = first.substring(0, 4 * Reason.LONGEST);
        }
        String line = UNPRINTABLE.matcher(first).replaceAll(" ");
        line = USER_INFO.matcher(line).replaceAll("//" + HIDDEN + "@");
        line = QUERY.matcher(line).replaceAll("$1?" + HIDDEN);
        line = NAMED_SECRET.matcher(line).replaceAll("$1" + HIDDEN);
        line = CREDENTIALS.matcher(line).replaceAll("$1$2$3 " + HIDDEN);
        line = LONG_NUMBER.matcher(line).replaceAll(HIDDEN);
        if (quotesValues) {
            line = VALUES.matcher(line).replaceAll(HIDDEN);
        }
        return line.length() <= Reason.LONGEST ? line : line.substring(0, Reason.LONGEST) + "...";
    }
}
