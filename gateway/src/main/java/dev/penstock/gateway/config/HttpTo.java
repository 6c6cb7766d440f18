package dev.penstock.gateway.config;

import dev.penstock.http.HttpVersion;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A target over HTTP.
 *
 * @param url where it is: http or https, with a host, without a user name
 * @param headers what every request gets besides its own headers, in the order of the file
 * @param version which HTTP to speak; null leaves it to Penstock
 * @param proxy what the way there goes through; null for nothing
 * @param tls whom to trust and what to present; null for the platform's authorities and nothing
 * @param pool its connections
 */
public record HttpTo(
        Configured<URI> url,
        Map<String, Secret> headers,
        @Nullable Configured<HttpVersion> version,
        @Nullable ProxyConfig proxy,
        @Nullable TlsConfig tls,
        PoolConfig pool)
        implements To {
    public HttpTo {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    @Override
    public String kind() {
        return "http";
    }

    /** Without the query of the URL, which may hold a secret. */
    @Override
    public String toString() {
        URI at = url.value();
        return at.getScheme() + "://" + at.getRawAuthority() + at.getRawPath();
    }
}
