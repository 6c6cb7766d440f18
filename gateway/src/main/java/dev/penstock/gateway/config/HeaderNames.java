package dev.penstock.gateway.config;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads names of headers. */
final class HeaderNames {
    /** A token of RFC 9110 section 5.6.2, which the name of a header is. */
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private HeaderNames() {}

    static @Nullable String one(ConfigValue value, String example) {
        String name = value.text();
        if (name == null || isName(name)) {
            return name;
        }
        value.refuseShown("which is no name of a header", "write for instance " + example);
        return null;
    }

    /** Several, with commas between them. */
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
        value.refuseShown(
                "which is no name of a header", "write for instance " + example + ", or several with commas between");
        return null;
    }

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }
}
