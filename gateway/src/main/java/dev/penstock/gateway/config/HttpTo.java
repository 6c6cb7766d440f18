package dev.penstock.gateway.config;

import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A target over HTTP.
 *
 * @param url where it is: http or https, with a host, without a user name
 * @param headers what every request gets besides its own headers, in the order of the file
 * @param pool its connections
 */
public record HttpTo(Chosen<URI> url, Map<String, Secret> headers, PoolConfig pool) {
    public HttpTo {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** Without the query of the URL, which may hold a secret. */
    @Override
    public String toString() {
        URI at = url.value();
        return at.getScheme() + "://" + at.getRawAuthority() + at.getRawPath();
    }
}
