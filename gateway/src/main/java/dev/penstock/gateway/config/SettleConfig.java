package dev.penstock.gateway.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whom to ask what became of a transaction that is in doubt.
 *
 * @param place where the file asks for it
 * @param url the URL to get: http or https, with header names between braces in its path or query
 * @param headers what every question carries, in the order of the file; null for those of the target, if the URL is on its
 *     host
 * @param notThere the status that says that the transaction is not there; 204, or 400 to 499, default 404
 * @param after how long to wait before each question; 0 to 1 h, default 1 s
 * @param questions how many at most after each attempt; 1 to 10, default 3
 */
public record SettleConfig(
        FileLocation place,
        Configured<String> url,
        @Nullable Map<String, Secret> headers,
        Configured<Integer> notThere,
        Configured<Duration> after,
        Configured<Integer> questions) {
    public SettleConfig {
        headers = headers == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** The headers that the URL names, which a request is known by. */
    public List<String> references() {
        return SettleReader.places(url.value());
    }

    /** Without the query of the URL, which may hold a secret. */
    @Override
    public String toString() {
        return "settle by " + url.value().replaceFirst("\\?.*", "");
    }
}
