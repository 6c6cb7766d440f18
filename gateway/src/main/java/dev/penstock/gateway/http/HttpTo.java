package dev.penstock.gateway.http;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.http.HttpVersion;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP target.
 *
 * @param url the URL: http or https, with a host, without a user name
 * @param headers additional headers of every request, in file order
 * @param version the HTTP version; null is automatic
 * @param proxy the proxy; null for none
 * @param tls trusted CAs and client certificate; null for the CAs of the platform and no certificate
 * @param pool the connection pool
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

    @Override
    public HttpTo pooled(PoolConfig other) {
        return new HttpTo(url, headers, version, proxy, tls, other);
    }

    @Override
    public void warn(FlowConfig flow, GatewayConfig config, ConfigProblems warnings) {
        HttpWarnings.target(flow, warnings);
    }

    /** Omits the query of the URL, which may contain a secret. */
    @Override
    public String toString() {
        URI at = url.value();
        return at.getScheme() + "://" + at.getRawAuthority() + at.getRawPath();
    }
}
