package dev.penstock.gateway.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How to query the status of a transaction with an unknown ending.
 *
 * @param location where it is in the file
 * @param url the status URL: http or https, with header names in braces in its path or query
 * @param headers headers of every status query, in file order; null uses those of the target if the URL is on the same
 *     host
 * @param notThere the HTTP status for "no such transaction"; 204, or 400 to 499, default 404
 * @param after the wait before each query; 0 to 1 h, default 1 s
 * @param questions the maximum number of queries after each attempt; 1 to 10, default 3
 */
public record SettleConfig(
        FileLocation location,
        Configured<String> url,
        @Nullable Map<String, Secret> headers,
        Configured<Integer> notThere,
        Configured<Duration> after,
        Configured<Integer> questions) {
    public SettleConfig {
        headers = headers == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** The headers named in the URL, which identify a request. */
    public List<String> references() {
        return SettleReader.headerNames(url.value());
    }

    /** Omits the query of the URL, which may contain a secret. */
    @Override
    public String toString() {
        return "settle by " + url.value().replaceFirst("\\?.*", "");
    }
}
