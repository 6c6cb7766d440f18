package dev.penstock.gateway.http;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.http.HttpVersion;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP target.
 *
 * @param url the URL: http or https, with a host, without a user name
 * @param others the URLs of other servers that offer the same; empty for none
 * @param headers additional headers of every request, in file order
 * @param version the HTTP version; null is automatic
 * @param proxy the proxy; null for none
 * @param tls trusted CAs and client certificate; null for the CAs of the platform and no certificate
 * @param pool the connection pool
 */
public record HttpTo(
        Configured<URI> url,
        List<URI> others,
        Map<String, Secret> headers,
        @Nullable Configured<HttpVersion> version,
        @Nullable ProxyConfig proxy,
        @Nullable TlsConfig tls,
        PoolConfig pool)
        implements To {
    public HttpTo {
        others = List.copyOf(others);
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** The URLs of all servers. */
    public List<URI> urls() {
        return Stream.concat(Stream.of(url.value()), others.stream()).toList();
    }

    @Override
    public int endpoints() {
        return 1 + others.size();
    }

    @Override
    public String kind() {
        return "http";
    }

    @Override
    public boolean canBeQueried() {
        return true;
    }

    @Override
    public HttpTo pooled(PoolConfig other) {
        return new HttpTo(url, others, headers, version, proxy, tls, other);
    }

    /** Omits the queries of the URLs, which may contain a secret. */
    @Override
    public String toString() {
        return urls().stream()
                .map(at -> at.getScheme() + "://" + at.getRawAuthority() + at.getRawPath())
                .collect(Collectors.joining(", "));
    }
}
