package dev.penstock.gateway.config;

import dev.penstock.collapse.Prefer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Batching of several requests into one HTTP call.
 *
 * @param location where it is in the file
 * @param url the batch endpoint: http or https, with a host, without a user name
 * @param headers additional headers of every batch, in file order; null uses those of the target if the URL is on the
 *     same host
 * @param format how a batch is encoded; default json-array
 * @param max the maximum number of requests in a batch; 1 to 100,000, default 100
 * @param maxBytes the maximum size of a batch in bytes; default 1 MB
 * @param budget the longest time a request waits for others; null is adaptive
 * @param prefer whether to optimise for fewer calls or for latency; default auto
 * @param key the JSON member that matches answers to requests; null matches by order
 * @param status the JSON member with the status of an answer; null makes every status 200
 * @param inBody the JSON member of a request body that repeats the key header; null sends requests with a key unbatched
 * @param per only requests with equal values of these headers share a batch; null compares all headers
 * @param same whether equal requests in a batch are sent once; default false
 * @param halve whether a batch that is refused as a whole is retried in halves; default true
 */
public record CollapseConfig(
        FileLocation location,
        Configured<String> url,
        @Nullable Map<String, Secret> headers,
        Configured<Format> format,
        Configured<Integer> max,
        Configured<Long> maxBytes,
        @Nullable Configured<Budget> budget,
        Configured<Prefer> prefer,
        @Nullable Configured<String> key,
        @Nullable Configured<String> status,
        @Nullable Configured<String> inBody,
        @Nullable Configured<List<String>> per,
        Configured<Boolean> same,
        Configured<Boolean> halve)
        implements CollapseKind {
    public CollapseConfig {
        headers = headers == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** How a batch is encoded. */
    public enum Format {
        /** One array of all bodies. */
        JSON_ARRAY("json-array"),
        /** One body per line. */
        NDJSON("ndjson");

        private final String keyword;

        Format(String keyword) {
            this.keyword = keyword;
        }

        /** The value used in the file. */
        public String keyword() {
            return keyword;
        }
    }

    /** Omits the query of the URL, which may contain a secret. */
    @Override
    public String toString() {
        return "collapse into " + url.value().replaceFirst("\\?.*", "");
    }
}
