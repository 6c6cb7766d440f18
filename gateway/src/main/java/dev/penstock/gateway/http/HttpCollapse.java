package dev.penstock.gateway.http;

import dev.penstock.gateway.config.CollapseKind;
import dev.penstock.gateway.config.CollapseKind.Budget;
import dev.penstock.gateway.config.CollapseReader;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.HeaderNames;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.config.TargetUrl;
import dev.penstock.http.batch.GetBatch;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Batching of several requests into one HTTP call.
 *
 * @param location where it is in the file
 * @param url the batch endpoint: http or https, with a host, without a user name; with {@code get} without its path
 * @param get the format of batches of GET requests; null for POSTs
 * @param join the text between two ids in the URL of a GET; default a comma
 * @param weight the query parameter with what a GET asks for, whose sum a batch asks for; null sends ids
 * @param headers additional headers of every batch, in file order; null uses those of the target if the URL is on the
 *     same host
 * @param format how a batch is encoded; default json-array
 * @param max the maximum number of requests in a batch; 1 to 100,000, default 100
 * @param budget the longest time a request waits for others; null is adaptive
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
        @Nullable GetBatch get,
        Configured<String> join,
        @Nullable Configured<String> weight,
        @Nullable Map<String, Secret> headers,
        Configured<Format> format,
        Configured<Integer> max,
        @Nullable Configured<Budget> budget,
        @Nullable Configured<String> key,
        @Nullable Configured<String> status,
        @Nullable Configured<String> inBody,
        @Nullable Configured<List<String>> per,
        Configured<Boolean> same,
        Configured<Boolean> halve)
        implements CollapseKind {
    private static final String EXAMPLE = "url: \"https://gateway.example/v1/batch\"";

    private static final Pattern ORIGIN = Pattern.compile("[^/?#]*//[^/?#]*");

    private static final KeyType<String> MEMBER = KeyType.text("a member of a JSON object", HttpCollapse::member);

    private static final Schema COLLAPSE = CollapseReader.schema("collapse: { " + EXAMPLE + " }")
            .removed(
                    "max_bytes",
                    "a batch has at most 1MB, and one that the target finds too large is sent in halves; remove it");
    private static final Key<URI> URL = COLLAPSE.key(
                    "url", KeyType.text("an http or https URL", TargetUrl::read), "where batches are sent")
            .alias("uri path to");
    private static final Key<GetUrl> GET = COLLAPSE.key(
            "get",
            KeyType.text("an http or https URL with a placeholder", HttpCollapse::get),
            "where batches of GET requests are sent, with a placeholder for their ids, such as {id}");
    static final Key<String> JOIN = COLLAPSE.key(
                    "join",
                    KeyType.text("text", HttpCollapse::join),
                    "with get, the text between two ids, as it appears in the URL")
            .or(",");
    static final Key<String> WEIGHT = COLLAPSE.key(
                    "weight",
                    KeyType.text("a JSON pointer to a query parameter", HttpCollapse::weight),
                    "with get, the query parameter with how much a request asks for, such as /howMany; a batch asks for the sum")
            .without("batches list ids");
    private static final Key<Map<String, Secret>> HEADERS = COLLAPSE.key(
                    "headers", HeaderNames.headers(), "headers that are added to each batch")
            .without("those of the target, if the URL is on the same host");
    private static final Key<Format> FORMAT = COLLAPSE.key(
                    "format", KeyType.oneOf(Format.class), "how a batch is encoded")
            .or(Format.JSON_ARRAY)
            .alias("codec type");
    private static final Key<Integer> MAX = CollapseReader.max(COLLAPSE);
    private static final Key<Budget> BUDGET = CollapseReader.budget(COLLAPSE).alias("window wait linger time delay");
    static final Key<String> KEY = COLLAPSE.key("key", MEMBER, "the member that request and answer have in common")
            .without("answers are in the order of the requests")
            .alias("id");
    static final Key<String> STATUS = COLLAPSE.key("status", MEMBER, "the member with the status of an answer")
            .without("every answer is 200");
    private static final Key<String> IN_BODY = COLLAPSE.key(
                    "in_body", MEMBER, "the member of a request that repeats its key header")
            .without("requests with a key are sent alone");
    private static final Key<List<String>> PER = COLLAPSE.key(
                    "per", HeaderNames.names("per: Tenant"), "the headers that requests of one batch have in common")
            .without("all headers")
            .alias("scope by");
    static final Key<Boolean> SAME = COLLAPSE.key(
                    "same", KeyType.bool(), "whether equal requests of a batch are sent once")
            .or(false)
            .alias("equal merge");
    private static final Key<Boolean> HALVE = COLLAPSE.key(
                    "halve", KeyType.bool(), "whether a batch that is refused as a whole is sent again in halves")
            .or(true)
            .alias("split halves");

    static {
        COLLAPSE.either(URL, GET);
        URL.excludes(GET, "is combined with 'get'", "remove one of the two");
        WEIGHT.excludes(KEY, "is combined with 'key'", "remove one of the two");
        for (Key<?> key : List.of(FORMAT, STATUS, IN_BODY, SAME)) {
            key.excludes(GET, "does not apply to 'get'", "remove it");
        }
    }

    static final KeyType<HttpCollapse> TYPE = KeyType.keys(COLLAPSE, HttpCollapse::read);

    HttpCollapse {
        headers = headers == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /**
     * The URL of {@code get}, split where the path begins.
     *
     * @param origin scheme, host and port
     */
    private record GetUrl(String origin, GetBatch format) {}

    /** How a batch is encoded. */
    enum Format {
        /** One array of all bodies. */
        JSON_ARRAY,
        /** One body per line. */
        NDJSON
    }

    private static @Nullable HttpCollapse read(ConfigMapping collapse) {
        Configured<URI> url = collapse.find(URL);
        Configured<GetUrl> get = collapse.find(GET);
        check(collapse);
        HttpCollapse read = new HttpCollapse(
                collapse.start(),
                get != null
                        ? Configured.fromFile(get.value().origin(), get.location())
                        : url != null
                                ? Configured.fromFile(url.value().toString(), url.location())
                                : Configured.byDefault(""),
                get == null ? null : get.value().format(),
                collapse.get(JOIN),
                collapse.find(WEIGHT),
                collapse.valueOf(HEADERS),
                collapse.get(FORMAT),
                collapse.get(MAX),
                collapse.find(BUDGET),
                collapse.find(KEY),
                collapse.find(STATUS),
                collapse.find(IN_BODY),
                collapse.find(PER),
                collapse.get(SAME),
                collapse.get(HALVE));
        return url == null && get == null ? null : read;
    }

    /** Reports keys that lack another. */
    private static void check(ConfigMapping collapse) {
        if (!collapse.has(GET)) {
            for (Key<?> key : List.of(JOIN, WEIGHT)) {
                collapse.refuse(key, "applies only to 'get'", "remove it, or write get instead of url");
            }
        }
        if (!collapse.has(URL) && !collapse.has(GET)) {
            collapse.refuse("collapse has no 'url'; add for instance " + EXAMPLE + ", or get for GET requests");
        }
    }

    private static @Nullable GetUrl get(ConfigValue value) {
        String text = value.text();
        if (text == null) {
            return null;
        }
        Matcher host = ORIGIN.matcher(text);
        String origin = host.lookingAt() ? host.group() : "";
        String rest = text.substring(origin.length());
        // A URI has no braces.
        if (TargetUrl.read(value, origin + rest.replaceAll("[{}]", "x")) == null) {
            return null;
        }
        String template = rest.startsWith("/") ? rest : "/" + rest;
        try {
            return new GetUrl(origin, GetBatch.of(template));
        } catch (IllegalArgumentException wrong) {
            // The template may contain a secret.
            String message = String.valueOf(wrong.getMessage()).replace("the template " + template + " ", "");
            value.problems().add(value.location(), "'" + value.name() + "' " + message);
            return null;
        }
    }

    private static @Nullable String join(ConfigValue value) {
        return valid(
                value,
                text -> GetBatch.of("/{id}").join(text),
                "which cannot be between ids in a URL",
                "write for instance a comma or %7C");
    }

    private static @Nullable String weight(ConfigValue value) {
        return valid(
                value,
                text -> GetBatch.of("/{id}").byWeight(text),
                "which is not a JSON pointer to a query parameter",
                "write it like /howMany");
    }

    private static @Nullable String valid(ConfigValue value, Consumer<String> use, String what, String remedy) {
        String text = value.text();
        try {
            if (text != null) {
                use.accept(text);
            }
            return text;
        } catch (IllegalArgumentException wrong) {
            value.refuseValue(what, remedy);
            return null;
        }
    }

    private static @Nullable String member(ConfigValue value) {
        return value.notEmpty(String::isBlank, "write the name of a member of a JSON object, or leave it out");
    }

    /** Omits the query of the URL, which may contain a secret. */
    @Override
    public String toString() {
        return "collapse into " + url.value().replaceFirst("\\?.*", "");
    }
}
