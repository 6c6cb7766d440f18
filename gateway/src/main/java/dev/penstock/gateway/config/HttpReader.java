package dev.penstock.gateway.config;

import dev.penstock.http.HttpVersion;
import dev.penstock.http.source.HttpSource;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code from.http} and {@code to.http}. */
final class HttpReader {
    static final String TO_EXAMPLE = "http: { url: \"https://gateway.example/v1\" }";
    private static final Keys FROM_HTTP =
            Keys.of("from.http", "port, host (address bind), path (url), max_body, header_time, body_time");
    private static final Keys TO_HTTP =
            Keys.of("to.http", "url (uri address host port path), headers, version (protocol), proxy, tls (ssl)");

    private static final Pattern PATH = Pattern.compile("/[A-Za-z0-9\\-._~!$&'()*+,;=:@%/]*");
    private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

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

    private HttpReader() {}

    static @Nullable HttpFrom from(ConfigValue value) {
        ConfigMapping given = value.mapping(FROM_HTTP, FlowReader.FROM_EXAMPLE);
        if (given == null) {
            return null;
        }
        ConfigValue port = given.required("port", "port: 8080");
        ConfigValue path = given.required("path", "path: /v1/payments");
        HttpFrom read = new HttpFrom(
                Addresses.port(given),
                Addresses.host(given),
                given.text("path", "/"),
                given.size("max_body", "1MB", "1B", "1GB"),
                given.duration("header_time", "10s", "10ms", "10m"),
                given.duration("body_time", "30s", "10ms", "10m"));
        if (path != null && read.path().inFile()) {
            checkPath(path, read.path().value());
        }
        return port == null || path == null ? null : read;
    }

    private static void checkPath(ConfigValue value, String path) {
        String normal = normal(path);
        if (normal == null) {
            value.refuseValue("which is not a path", "write a path that begins with /, for instance /v1/payments");
        } else if (!normal.equals(path)) {
            value.refuseValue("but requests are matched by the normalised path", "write " + normal);
        }
    }

    /** The normalised path, or null if it is invalid. A dot segment could redirect a request to another path. */
    private static @Nullable String normal(String path) {
        if (!PATH.matcher(path).matches() || TargetUrl.hasDotSegment(path)) {
            return null;
        }
        try {
            return HttpSource.normalPath(path);
        } catch (IllegalArgumentException none) {
            return null;
        }
    }

    static @Nullable HttpTo to(ConfigValue value, PoolConfig pool) {
        ConfigMapping given = value.mapping(TO_HTTP, TO_EXAMPLE);
        if (given == null) {
            return null;
        }
        Configured<URI> url = given.required("url", "url: \"https://gateway.example/v1\"", TargetUrl::read);
        Map<String, Secret> headers = headers(given.get("headers"));
        Configured<HttpVersion> version = given.unlessAuto("version", HttpReader::version);
        ProxyConfig proxy = ProxyConfig.read(given.get("proxy"));
        TlsConfig tls = TlsReader.read(given.get("tls"));
        if (url == null) {
            return null;
        }
        TlsReader.check(url.value(), given.get("tls"));
        ConfigValue http2 = given.get("version");
        if (http2 != null && version != null && version.value() == HttpVersion.HTTP_2) {
            checkHttp2(url.value(), http2, proxy);
        }
        return new HttpTo(url, headers, version, proxy, tls, pool);
    }

    private static @Nullable HttpVersion version(ConfigValue value) {
        String written = value.text();
        if (written == null) {
            return null;
        }
        return switch (written) {
            case "1.1" -> HttpVersion.HTTP_1_1;
            case "2" -> HttpVersion.HTTP_2;
            default -> {
                value.refuseValue("which is not a supported HTTP version", "write auto, 1.1 or 2");
                yield null;
            }
        };
    }

    /** HTTP/2 is negotiated in TLS (ALPN). Without TLS (h2c) and through a proxy it is not supported. */
    private static void checkHttp2(URI url, ConfigValue version, @Nullable ProxyConfig proxy) {
        if ("http".equalsIgnoreCase(url.getScheme())) {
            version.refuse("is 2, but HTTP/2 is not supported without TLS (h2c)", "use an https URL, or version 1.1");
        } else if (proxy != null) {
            version.refuse("is 2, but HTTP/2 is not supported through a proxy", "remove one of the two");
        }
    }

    static Map<String, Secret> headers(@Nullable ConfigValue value) {
        Map<String, Secret> headers = new LinkedHashMap<>();
        ConfigMapping given =
                value == null ? null : value.mapping(Keys.any("headers"), "headers: { Authorization: \"${TOKEN}\" }");
        if (given == null) {
            return headers;
        }
        Set<String> seen = new TreeSet<>();
        for (ConfigValue header : given.values()) {
            String text = header.text();
            String name = header.key();
            if (isUsable(name, header) && text != null && isPrintable(text, header) && isNew(name, seen, header)) {
                headers.put(name, new Secret(text));
            }
        }
        return headers;
    }

    private static boolean isUsable(String name, ConfigValue header) {
        if (!HEADER.matcher(name).matches()) {
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

    private static boolean isPrintable(String text, ConfigValue header) {
        boolean fits = text.chars().allMatch(HttpReader::isFieldCharacter);
        if (!fits) {
            header.refuse("contains a character that is not allowed in a header", "write one line of plain text");
        }
        return fits;
    }

    /** RFC 9110 section 5.5: visible characters, spaces, tabs, and the upper half of Latin-1. */
    private static boolean isFieldCharacter(int c) {
        return c == '\t' || (c >= ' ' && c <= '~') || (c >= 0x80 && c <= 0xFF);
    }
}
