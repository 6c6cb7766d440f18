package dev.penstock.gateway.http;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.HeaderNames;
import dev.penstock.gateway.config.Keys;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.config.TargetUrl;
import dev.penstock.http.HttpVersion;
import dev.penstock.http.source.HttpSource;
import java.net.URI;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code from.http} and {@code to.http}. */
final class HttpReader {
    private static final String FROM_EXAMPLE = "http: { port: 8080, path: /v1/payments }";
    private static final String TO_EXAMPLE = "http: { url: \"https://gateway.example/v1\" }";
    private static final Keys FROM_HTTP = Keys.of(
            "from.http",
            "port, host (address bind), path (url), max_body, header_time, body_time, idle_time (keep_alive), "
                    + "max_connections, max_headers (max_header_size)");
    private static final Keys TO_HTTP =
            Keys.of("to.http", "url (uri address host port path), headers, version (protocol), proxy, tls (ssl)");

    private static final Pattern PATH = Pattern.compile("/[A-Za-z0-9\\-._~!$&'()*+,;=:@%/]*");

    private HttpReader() {}

    static @Nullable HttpFrom from(ConfigValue value) {
        ConfigMapping given = value.mapping(FROM_HTTP, FROM_EXAMPLE);
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
                given.duration("body_time", "30s", "10ms", "10m"),
                given.duration("idle_time", "1m", "10ms", "1h"),
                given.unlessAuto("max_connections", count -> count.integer(1, 100_000)),
                given.size("max_headers", "16KB", "1KB", "1MB"));
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
        Map<String, Secret> headers = HeaderNames.withValues(given.get("headers"));
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
}
