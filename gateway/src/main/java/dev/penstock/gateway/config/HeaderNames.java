package dev.penstock.gateway.config;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads header names. */
final class HeaderNames {
    /** A header name is a token (RFC 9110 section 5.6.2). */
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private HeaderNames() {}

    static @Nullable String one(ConfigValue value, String example) {
        String name = value.text();
        if (name == null || isName(name)) {
            return name;
        }
        value.refuseValue("which is not a valid header name", "write for instance " + example);
        return null;
    }

    /** A comma-separated list of names. */
    static @Nullable List<String> several(ConfigValue value, String example) {
        String written = value.text();
        if (written == null) {
            return null;
        }
        List<String> names =
                Arrays.stream(written.split(",", -1)).map(String::strip).toList();
        if (names.stream().allMatch(HeaderNames::isName)) {
            return names;
        }
        value.refuseValue(
                "which is not a valid header name",
                "write for instance " + example + ", or several separated by commas");
        return null;
    }

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }
}
