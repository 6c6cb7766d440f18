package dev.penstock.gateway.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads header names and their values. */
public final class HeaderNames {
    /** A header name is a token (RFC 9110 section 5.6.2). */
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** Headers of one connection or one message (RFC 9110 section 7.6.1), which Penstock sets itself. */
    private static final Set<String> RESERVED_HEADERS = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "penstock-deadline-ms");

    private static final Schema HEADERS =
            Schema.named("headers", "headers: { Authorization: \"${TOKEN}\" }", KeyType.secret());

    private HeaderNames() {}

    /** The name of a header. */
    public static KeyType<String> name(String example) {
        return KeyType.matching("a header", NAME, value -> one(value, example));
    }

    /** Names of headers, separated by commas. */
    public static KeyType<List<String>> names(String example) {
        return KeyType.text("headers, separated by commas", value -> several(value, example));
    }

    /** Headers with their values. */
    public static KeyType<Map<String, Secret>> headers() {
        return KeyType.mapping(HEADERS, HeaderNames::withValues);
    }

    static @Nullable String one(ConfigValue value, String example) {
        return value.text(HeaderNames::isName, "which is not a valid header name", "write for instance " + example);
    }

    private static @Nullable List<String> several(ConfigValue value, String example) {
        return value.texts(HeaderNames::isName, "which is not a valid header name", example);
    }

    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    private static Map<String, Secret> withValues(ConfigValue value) {
        Map<String, Secret> headers = new LinkedHashMap<>();
        ConfigMapping given = value.mapping(HEADERS);
        if (given == null) {
            return headers;
        }
        Set<String> seen = new TreeSet<>();
        for (ConfigValue header : given.values()) {
            String name = header.key();
            boolean usable = isUsable(name, header);
            Secret secret = header.secret(
                    HeaderNames::isPrintable,
                    "contains a character that is not allowed in a header",
                    "write one line of plain text");
            if (usable && secret != null && isNew(name, seen, header)) {
                headers.put(name, secret);
            }
        }
        return headers;
    }

    private static boolean isUsable(String name, ConfigValue header) {
        if (!isName(name)) {
            header.refuseKey(
                    "'" + Quoted.plain(name) + "' is not a valid header name; write for instance Authorization");
            return false;
        }
        if (RESERVED_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
            header.refuseKey("header '" + name + "' is set by Penstock itself; remove it");
            return false;
        }
        return true;
    }

    private static boolean isNew(String name, Set<String> seen, ConfigValue header) {
        boolean fresh = seen.add(name.toLowerCase(Locale.ROOT));
        if (!fresh) {
            header.refuseKey("header '" + name + "' appears twice, ignoring case; keep one of them");
        }
        return fresh;
    }

    private static boolean isPrintable(String text) {
        return text.chars().allMatch(HeaderNames::isFieldCharacter);
    }

    /** RFC 9110 section 5.5: visible characters, spaces, tabs, and the upper half of Latin-1. */
    private static boolean isFieldCharacter(int c) {
        return c == '\t' || (c >= ' ' && c <= '~') || (c >= 0x80 && c <= 0xFF);
    }
}
