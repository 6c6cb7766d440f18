package dev.penstock.gateway.http;

import dev.penstock.Collapse.Prefer;
import dev.penstock.gateway.config.CollapseKind;
import dev.penstock.gateway.config.CollapseKind.Budget;
import dev.penstock.gateway.config.CollapseReader;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.HeaderNames;
import dev.penstock.gateway.config.Keys;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.config.TargetUrl;
import java.net.URI;
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
record HttpCollapse(
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
    private static final String EXAMPLE = "url: \"https://gateway.example/v1/batch\"";

    private static final Keys COLLAPSE = Keys.of(
            "collapse",
            "url (uri path to), headers, format (codec type), max (size length), max_bytes, "
                    + "budget (window wait linger time delay), prefer, key (id), status, in_body, per (scope by), "
                    + "same (equal merge), halve (split halves)");

    HttpCollapse {
        headers = headers == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** How a batch is encoded. */
    enum Format {
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

    static @Nullable HttpCollapse read(ConfigValue value) {
        ConfigMapping collapse = value.mapping(COLLAPSE, "collapse: { " + EXAMPLE + " }");
        if (collapse == null) {
            return null;
        }
        Configured<URI> url = collapse.required("url", EXAMPLE, TargetUrl::read);
        ConfigValue headers = collapse.get("headers");
        HttpCollapse read = new HttpCollapse(
                value.location(),
                url == null
                        ? Configured.byDefault("")
                        : Configured.inFile(url.value().toString(), url.location()),
                headers == null ? null : HeaderNames.withValues(headers),
                collapse.read("format", Format.JSON_ARRAY, HttpCollapse::format),
                CollapseReader.max(collapse),
                collapse.size("max_bytes", "1MB", "1KB", "1GB"),
                CollapseReader.budget(collapse),
                CollapseReader.prefer(collapse),
                collapse.ifGiven("key", HttpCollapse::member),
                collapse.ifGiven("status", HttpCollapse::member),
                collapse.ifGiven("in_body", HttpCollapse::member),
                collapse.ifGiven("per", names -> HeaderNames.several(names, "per: Tenant")),
                collapse.bool("same", false),
                collapse.bool("halve", true));
        return url == null ? null : read;
    }

    private static @Nullable Format format(ConfigValue value) {
        return value.oneOf(
                Format.values(),
                Format::keyword,
                "which is not a supported batch format",
                "write json-array or ndjson, or give a format of your own in Java");
    }

    private static @Nullable String member(ConfigValue value) {
        String name = value.text();
        if (name == null || !name.isBlank()) {
            return name;
        }
        value.refuse("is empty", "write the name of a member of a JSON object, or leave it out");
        return null;
    }

    /** Omits the query of the URL, which may contain a secret. */
    @Override
    public String toString() {
        return "collapse into " + url.value().replaceFirst("\\?.*", "");
    }
}
