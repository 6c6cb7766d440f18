package dev.penstock.gateway.config;

import dev.penstock.collapse.Prefer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many requests become one call.
 *
 * @param place where the file asks for it
 * @param url the URL that takes batches: http or https, with a host, without a user name
 * @param headers what every batch gets besides, in the order of the file; null for those of the target, if the URL is on its
 *     host
 * @param format how requests are written into a batch; default json-array
 * @param max how many requests a batch has at most; 1 to 100,000, default 100
 * @param maxBytes how many bytes; default 1 MB
 * @param budget how long a request waits for others at most; null leaves it to Penstock
 * @param prefer what batches are for; auto unless given
 * @param key the member that tells answers apart; null takes them in order
 * @param status the member that bears the status of an answer; null makes all of them 200
 * @param inBody the member of a body that bears the key of its request too; null sends requests with a key alone
 * @param per the headers that keep requests apart; null for all of them
 * @param same whether equal requests of a batch are sent as one; false unless given
 * @param halve whether a batch that is refused as a whole is sent in halves; true unless given
 */
public record CollapseConfig(
        FileLocation place,
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

    /** How requests are written into a batch. */
    public enum Format {
        /** One array of all bodies. */
        JSON_ARRAY("json-array"),
        /** Each body in a line of its own. */
        NDJSON("ndjson");

        private final String word;

        Format(String word) {
            this.word = word;
        }

        /** The word for it in a file. */
        public String word() {
            return word;
        }
    }

    /** Without the query of the URL, which may hold a secret. */
    @Override
    public String toString() {
        return "collapse into " + url.value().replaceFirst("\\?.*", "");
    }
}
