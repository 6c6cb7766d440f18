package dev.penstock.gateway.config;

import dev.penstock.gateway.config.FlowFileReader.ReadContext;
import dev.penstock.http.HttpSource;
import dev.penstock.http.HttpVersion;
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
    private static final Keys FROM_HTTP = Keys.of(
                    "from.http", "port", "host", "path", "max_body", "header_time", "body_time")
            .aliases(Map.of("address", "host", "bind", "host", "url", "path"));
    private static final Keys TO_HTTP = Keys.of("to.http", "url", "headers", "version", "proxy", "tls")
            .aliases(Map.of(
                    "uri",
                    "url",
                    "address",
                    "url",
                    "host",
                    "url",
                    "port",
                    "url",
                    "path",
                    "url",
                    "ssl",
                    "tls",
                    "protocol",
                    "version"));

    private static final DurationRange CLIENT_TIME = new DurationRange("10ms", "10m");
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

    private final ReadContext reading;

    HttpReader(ReadContext reading) {
        this.reading = reading;
    }

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
                given.duration("header_time", "10s", CLIENT_TIME),
                given.duration("body_time", "30s", CLIENT_TIME));
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

    @Nullable
    HttpTo to(ConfigValue value, PoolConfig pool) {
        ConfigMapping given = value.mapping(TO_HTTP, TO_EXAMPLE);
        if (given == null) {
            return null;
        }
        ConfigValue written = given.required("url", "url: \"https://gateway.example/v1\"");
        URI url = written == null ? null : TargetUrl.read(written);
        Map<String, Secret> headers = headers(given.get("headers"));
        Configured<HttpVersion> version = given.unlessAuto("version", HttpReader::version);
        ProxyConfig proxy = ProxyConfig.read(given.get("proxy"));
        TlsConfig tls = new TlsReader(reading).read(given.get("tls"));
        if (written == null || url == null) {
            return null;
        }
        TlsReader.check(url, given.get("tls"));
        checkVersion(url, version, proxy);
        return new HttpTo(Configured.inFile(url, written.location()), headers, version, proxy, tls, pool);
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
    private void checkVersion(URI url, @Nullable Configured<HttpVersion> version, @Nullable ProxyConfig proxy) {
        if (version == null || version.value() != HttpVersion.HTTP_2) {
            return;
        }
        if ("http".equalsIgnoreCase(url.getScheme())) {
            reading.problems()
                    .add(
                            version.location(),
                            "'to.http.version' is 2, but HTTP/2 is not supported without TLS (h2c); use an https URL, or version 1.1");
        } else if (proxy != null) {
            reading.problems()
                    .add(
                            version.location(),
                            "'to.http.version' is 2, but HTTP/2 is not supported through a proxy; remove one of the two");
        }
    }

    Map<String, Secret> headers(@Nullable ConfigValue value) {
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

    private boolean isUsable(String name, ConfigValue header) {
        if (!HEADER.matcher(name).matches()) {
            reading.problems()
                    .add(
                            header.keyLocation(),
                            "'" + Quoted.plain(name)
                                    + "' is not a valid header name; write for instance Authorization");
            return false;
        }
        if (RESERVED_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
            reading.problems().add(header.keyLocation(), "header '" + name + "' is set by Penstock itself; remove it");
            return false;
        }
        return true;
    }

    private boolean isNew(String name, Set<String> seen, ConfigValue header) {
        boolean fresh = seen.add(name.toLowerCase(Locale.ROOT));
        if (!fresh) {
            reading.problems()
                    .add(header.keyLocation(), "header '" + name + "' appears twice, ignoring case; keep one of them");
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
