package dev.penstock.gateway.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the URL of a target. Shows no more of it than the file does, and nothing of a user name or a query in it. */
public final class TargetUrl {
    private static final String REMEDY = "write for instance https://gateway.example/v1";
    /** Schemes that lead to a target of another kind, and the key of that. */
    private static final Map<String, String> OTHERS =
            Map.of("jdbc", "jdbc", "amqp", "jms", "amqps", "jms", "tcp", "jms", "jms", "jms", "udp", "udp");

    private TargetUrl() {}

    static @Nullable URI read(ConfigValue value) {
        String text = value.text();
        return text == null ? null : read(value, text);
    }

    /**
     * As {@link #read(Value)}, of what stands for the value.
     *
     * @param text the value with its own places filled in
     */
    static @Nullable URI read(ConfigValue value, String text) {
        String wrong = wrong(text);
        if (wrong == null) {
            return parsed(text);
        }
        String[] parts = wrong.split("; ", 2);
        value.refuse(parts[0], parts[1]);
        return null;
    }

    /**
     * What is wrong with the URL of a target and what to do, to be said after its name, for instance {@code has no scheme;
     * begin it with http:// or https://}; null when nothing is.
     */
    public static @Nullable String wrong(String text) {
        URI url = parsed(text);
        return url == null ? notAUrl(text) : wrong(url);
    }

    private static @Nullable URI parsed(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException none) {
            return null;
        }
    }

    private static String notAUrl(String text) {
        String why = text.isBlank() ? "is empty" : text.contains(" ") ? "is no URL: it has a space in it" : "is no URL";
        return why + "; " + REMEDY;
    }

    private static @Nullable String wrong(URI url) {
        String scheme = url.getScheme();
        if (scheme == null) {
            return "has no scheme; begin it with http:// or https://";
        }
        String other = OTHERS.get(scheme);
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
            return "carries a user name or password; take it out and give a header: headers: { Authorization: \"${file:PATH}\" }";
        }
        if (url.getHost() == null) {
            return "has no host that can be looked up; " + REMEDY;
        }
        if (url.getPort() == 0 || url.getPort() > 65_535) {
            return "has the port " + url.getPort() + "; write a port from 1 to 65535, or none";
        }
        if (hasDotSegment(url.getRawPath())) {
            return "has a . or .. segment in its path; write the path that it stands for";
        }
        return url.getRawFragment() == null ? null : "has a fragment (#...), which is never sent; take it out";
    }

    /** {@code localhost:9000/v1} parses as scheme localhost; nobody means that. */
    private static boolean schemeIsHost(URI url) {
        return url.isOpaque() && url.getRawSchemeSpecificPart().matches("\\d+(/.*)?");
    }

    static boolean hasDotSegment(String path) {
        String plain = path.toLowerCase(Locale.ROOT).replace("%2e", ".") + "/";
        return plain.contains("/../") || plain.contains("/./");
    }
}
