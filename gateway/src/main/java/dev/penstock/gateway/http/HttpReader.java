package dev.penstock.gateway.http;

import dev.penstock.gateway.callers.AuthConfig;
import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.HeaderNames;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.ListenerTls;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.config.TargetUrl;
import dev.penstock.http.HttpVersion;
import dev.penstock.http.balance.BalancedTarget;
import dev.penstock.http.source.HttpSource;
import dev.penstock.http.source.HttpSourceBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code from.http} and {@code to.http}. */
final class HttpReader {
    private static final String FROM_EXAMPLE = "http: { port: 8080, path: /v1/payments }";
    private static final String TO_EXAMPLE = "http: { url: \"https://gateway.example/v1\" }";
    private static final Pattern PATH = Pattern.compile("/[A-Za-z0-9\\-._~!$&'()*+,;=:@%/]*");

    private static final Schema SOURCE = Schema.of("from.http", FROM_EXAMPLE)
            .removed("header_time", "a client always has 10s for the head of a request; remove it")
            .removed("body_time", "a client always has 30s for a body, and for an answer; remove it")
            .removed("max_headers", "the head of a request is at most 16KB; remove it");
    static final Key<Integer> PORT = Addresses.port(SOURCE, "port: 8080");
    private static final Key<String> HOST = Addresses.host(SOURCE).alias("address bind");
    static final Key<String> PATH_KEY = SOURCE.key(
                    "path",
                    KeyType.matching("a path", PATH, HttpReader::path),
                    "the path of the requests; paths below it belong to the flow too")
            .required("path: /v1/payments")
            .alias("url");
    static final Key<Long> MAX_BODY = SOURCE.key(
                    "max_body", KeyType.size("1B", "1GB"), "the largest body of a request; above it 413")
            .or((long) HttpSourceBuilder.DEFAULT_BODY);
    private static final Key<Duration> IDLE_TIME = SOURCE.key(
                    "idle_time",
                    KeyType.duration(HttpSourceBuilder.MIN_TIME, HttpSourceBuilder.MAX_TIME),
                    "how long a connection of a client may be idle; pool.idle is about connections to the target")
            .or(HttpSourceBuilder.DEFAULT_IDLE_TIME)
            .alias("keep_alive");
    private static final Key<Integer> MAX_CONNECTIONS = SOURCE.key(
                    "max_connections", KeyType.integer(1, 100_000), "the maximum number of connections of clients")
            .auto("as many as fit into an eighth of the heap, 64 to 10000");

    static final Key<List<String>> TRUSTED_PROXIES = SOURCE.key(
                    "trusted_proxies",
                    Addresses.block().orList(64),
                    "the proxies that may name the client in X-Forwarded-For; such fields of others are replaced")
            .without("none");
    static final Key<List<String>> PROXY_PROTOCOL = SOURCE.key(
                    "proxy_protocol",
                    Addresses.block().orList(64),
                    "the load balancers that begin each connection with the address of its client; nobody else may connect")
            .without("clients connect themselves");

    static {
        SOURCE.with(List.of(ListenerTls.KEY, ListenerTls.INSECURE, AuthConfig.KEY));
    }

    static final Key<HttpFrom> FROM = Key.of("http", KeyType.keys(SOURCE, HttpReader::from), "HTTP requests")
            .alias("https");

    private static final Schema TARGET = Schema.of("to.http", TO_EXAMPLE);
    private static final Key<List<URI>> URL = TARGET.key(
                    "url",
                    KeyType.text("an http or https URL", TargetUrl::read).orList(BalancedTarget.MAX_ENDPOINTS),
                    "where requests are sent; with a list, to the server with the fewest outstanding calls")
            .required("url: \"https://gateway.example/v1\"")
            .alias("uri address host port path");
    private static final Key<Map<String, Secret>> HEADERS =
            TARGET.key("headers", HeaderNames.headers(), "headers that are added to each request");
    private static final Key<HttpVersion> VERSION = TARGET.key(
                    "version",
                    KeyType.matching("1.1, 2", Pattern.compile("1\\.1|2"), HttpReader::version),
                    "the version of HTTP; 2 needs TLS")
            .auto("2 if the target offers it")
            .alias("protocol");
    private static final Key<ProxyConfig> PROXY =
            TARGET.key("proxy", ProxyConfig.TYPE, "the HTTP proxy in front of the target");
    private static final Key<TlsConfig> TLS = TARGET.key(
                    "tls", TlsReader.TYPE, "trusted certificates, and one of our own")
            .without("the certificates of the platform")
            .alias("ssl");
    static final Key<HttpTo> TO = Key.of(
                    "http",
                    KeyType.mapping(TARGET, HttpReader::target).or(URL.type()),
                    "an HTTP server, or several; a URL alone, or a list, is short for url")
            .alias("https");

    private HttpReader() {}

    private static @Nullable HttpFrom from(ConfigMapping given) {
        Configured<Integer> port = given.find(PORT);
        Configured<String> path = given.find(PATH_KEY);
        Configured<String> host = given.get(HOST);
        Configured<Long> maxBody = given.get(MAX_BODY);
        Configured<Duration> idleTime = given.get(IDLE_TIME);
        Configured<Integer> maxConnections = given.find(MAX_CONNECTIONS);
        Configured<List<String>> trustedProxies = given.find(TRUSTED_PROXIES);
        Configured<List<String>> proxyProtocol = given.find(PROXY_PROTOCOL);
        Configured<ListenerTls> tls = given.find(ListenerTls.KEY);
        boolean insecure = given.get(ListenerTls.INSECURE).value();
        AuthConfig auth = given.valueOf(AuthConfig.KEY);
        return port == null || path == null
                ? null
                : new HttpFrom(
                        port,
                        host,
                        path,
                        maxBody,
                        idleTime,
                        maxConnections,
                        trustedProxies,
                        proxyProtocol,
                        tls,
                        insecure,
                        auth);
    }

    private static @Nullable String path(ConfigValue value) {
        String path = value.text();
        String normal = path == null ? null : normal(path);
        if (path != null && normal == null) {
            value.refuseValue("which is not a path", "write a path that begins with /, for instance /v1/payments");
        } else if (path != null && !path.equals(normal)) {
            value.refuseValue("but requests are matched by the normalised path", "write " + normal);
        }
        return path == null || !path.equals(normal) ? null : path;
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

    private static @Nullable HttpTo target(ConfigValue value) {
        if (value.isMapping() || value.isNull()) {
            ConfigMapping given = value.mapping(TARGET, "a URL, a list of URLs");
            return given == null ? null : keys(given);
        }
        List<URI> urls = URL.type().read().apply(value);
        return urls == null
                ? null
                : of(Configured.fromFile(distinct(urls, value), value.location()), Map.of(), null, null, null);
    }

    private static List<URI> distinct(List<URI> urls, @Nullable ConfigValue written) {
        if (Set.copyOf(urls).size() < urls.size() && written != null) {
            written.refuse("has one URL twice", "remove it");
        }
        return urls;
    }

    private static @Nullable HttpTo keys(ConfigMapping given) {
        Configured<List<URI>> urls = given.find(URL);
        Configured<Map<String, Secret>> headers = given.find(HEADERS);
        Configured<HttpVersion> version = given.find(VERSION);
        ProxyConfig proxy = given.valueOf(PROXY);
        TlsConfig tls = given.valueOf(TLS);
        if (urls == null) {
            return null;
        }
        List<URI> all = distinct(urls.value(), given.written(URL));
        // What needs TLS is refused if one URL is without.
        URI first = all.stream().filter(HttpReader::isPlain).findFirst().orElse(all.getFirst());
        TlsReader.check(first, given.written(TLS));
        ConfigValue http2 = given.written(VERSION);
        if (http2 != null && version != null && version.value() == HttpVersion.HTTP_2) {
            checkHttp2(first, http2, proxy);
        }
        return of(urls, headers == null ? Map.of() : headers.value(), version, proxy, tls);
    }

    private static HttpTo of(
            Configured<List<URI>> urls,
            Map<String, Secret> headers,
            @Nullable Configured<HttpVersion> version,
            @Nullable ProxyConfig proxy,
            @Nullable TlsConfig tls) {
        List<URI> all = urls.value();
        return new HttpTo(
                new Configured<>(all.getFirst(), urls.origin(), urls.location()),
                all.subList(1, all.size()),
                headers,
                version,
                proxy,
                tls,
                PoolConfig.AUTOMATIC);
    }

    private static boolean isPlain(URI url) {
        return "http".equalsIgnoreCase(url.getScheme());
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
        if (isPlain(url)) {
            version.refuse("is 2, but HTTP/2 is not supported without TLS (h2c)", "use an https URL, or version 1.1");
        } else if (proxy != null) {
            version.refuse("is 2, but HTTP/2 is not supported through a proxy", "remove one of the two");
        }
    }
}
