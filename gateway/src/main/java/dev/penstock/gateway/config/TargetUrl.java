package dev.penstock.gateway.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the URL of a target. Messages show the URL at most as written in the file, without user name and query. */
public final class TargetUrl {
    private static final String REMEDY = "write for instance https://gateway.example/v1";
    /** Schemes of other kinds of targets, and their keys. */
    private static final Map<String, String> OTHER_KINDS = Map.of(
            "jdbc", "jdbc", "amqp", "jms", "amqps", "jms", "tcp", "jms", "jms", "jms", "kafka", "kafka", "udp", "udp");

    private TargetUrl() {}

    /** Reads a URL; reports an invalid one. */
    public static @Nullable URI read(ConfigValue value) {
        String text = value.text();
        return text == null ? null : read(value, text);
    }

    /**
     * Reads a URL from a text derived from the value.
     *
     * @param text the value with its variable parts filled in
     */
    public static @Nullable URI read(ConfigValue value, String text) {
        String wrong = wrong(text);
        if (wrong == null) {
            return parsed(text);
        }
        String[] parts = wrong.split("; ", 2);
        value.refuse(parts[0], parts[1]);
        return null;
    }

    /**
     * The problem of a target URL and its remedy, worded to follow the name of the setting, for instance {@code has no
     * scheme; begin it with http:// or https://}; null if it is valid.
     */
    public static @Nullable String wrong(String text) {
        URI url = parsed(text);
        return url == null ? notAUrl(text) : wrong(url);
    }

    /** A URL; null if it is none. */
    public static @Nullable URI parsed(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException none) {
            return null;
        }
    }

    private static String notAUrl(String text) {
        String why =
                text.isBlank() ? "is empty" : text.contains(" ") ? "is not a URL: it contains a space" : "is not a URL";
        return why + "; " + REMEDY;
    }

    private static @Nullable String wrong(URI url) {
        String scheme = url.getScheme();
        if (scheme == null) {
            return "has no scheme; begin it with http:// or https://";
        }
        String other = OTHER_KINDS.get(scheme);
        if (other != null) {
            return "has the scheme '" + scheme + "', which is not HTTP; write to: { " + other + ": { url: ... } }";
        }
        if (!scheme.equalsIgnoreCase("http") && !scheme.equalsIgnoreCase("https")) {
            return schemeIsHost(url)
                    ? "has no scheme; begin it with http:// or https://"
                    : "has the scheme '" + Quoted.plain(scheme) + "', which is not supported; use http or https";
        }
        if (url.getRawUserInfo() != null
                || String.valueOf(url.getRawAuthority()).contains("@")) {
            return "contains a user name or password; remove it and set a header: headers: { Authorization: \"${file:PATH}\" }";
        }
        if (url.getHost() == null) {
            return "has no valid host name; " + REMEDY;
        }
        if (url.getPort() == 0 || url.getPort() > 65_535) {
            return "has the port " + url.getPort() + "; write a port from 1 to 65535, or none";
        }
        if (hasDotSegment(url.getRawPath())) {
            return "has a . or .. segment in its path; write the resolved path";
        }
        return url.getRawFragment() == null ? null : "has a fragment (#...), which is never sent; remove it";
    }

    /** {@code localhost:9000/v1} parses as scheme localhost. */
    private static boolean schemeIsHost(URI url) {
        return url.isOpaque() && url.getRawSchemeSpecificPart().matches("\\d+(/.*)?");
    }

    /** Whether a path has a segment {@code .} or {@code ..}. */
    public static boolean hasDotSegment(String path) {
        String plain = path.toLowerCase(Locale.ROOT).replace("%2e", ".") + "/";
        return plain.contains("/../") || plain.contains("/./");
    }
}
