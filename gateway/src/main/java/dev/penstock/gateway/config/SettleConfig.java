package dev.penstock.gateway.config;

import dev.penstock.Settle;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpStatusProbe;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How to query the status of a transaction with an unknown ending.
 *
 * @param location where it is in the file
 * @param url the status URL: http or https, with header names in braces in its path or query
 * @param headers headers of every status query, in file order; null uses those of the target if the URL is on the
 *     same host
 * @param absentStatus the HTTP status for "no such transaction"; 204, or 400 to 499, default 404
 * @param after the wait before each query; 0 to 1 h, default 1 s
 * @param queries the maximum number of queries after each attempt; 1 to 10, default 3
 */
public record SettleConfig(
        FileLocation location,
        Configured<String> url,
        @Nullable Map<String, Secret> headers,
        Configured<Integer> absentStatus,
        Configured<Duration> after,
        Configured<Integer> queries) {
    private static final String EXAMPLE = "url: \"https://gateway.example/v1/payments/{Idempotency-Key}\"";
    private static final String REMEDY = "write for instance https://gateway.example/v1/payments/{Idempotency-Key}";

    private static final Pattern HEADER_IN_BRACES = Pattern.compile("\\{([^{}]*)}");
    private static final Pattern BEFORE_PATH = Pattern.compile("(?:[^/?#]*:)?(?://)?[^/?#]*");

    private static final Schema SETTLE = Schema.of("settle", "settle: { " + EXAMPLE + " }");
    private static final Key<String> URL = SETTLE.key(
                    "url",
                    KeyType.text("a URL with header names in braces", SettleConfig::url),
                    "where the status of a transaction is asked; {NAME} is replaced by that header of the request")
            .required(EXAMPLE)
            .alias("uri path");
    private static final Key<Map<String, Secret>> HEADERS = SETTLE.key(
                    "headers", HeaderNames.headers(), "headers of each status query")
            .without("those of the target, if the URL is on the same host");
    private static final Key<Integer> ABSENT_STATUS = SETTLE.key(
                    "absent_status",
                    KeyType.integer(200, 599),
                    "the status which means that the transaction does not exist: 204, or 400 to 499")
            .or(HttpStatusProbe.NOT_FOUND)
            .formerly("not_there")
            .alias("status missing not_found");
    private static final Key<Duration> AFTER = SETTLE.key(
                    "after", KeyType.duration("0s", "1h"), "the wait before each status query")
            .or(Settle.DEFAULT_AFTER)
            .alias("delay wait");
    private static final Key<Integer> QUERIES = SETTLE.key(
                    "queries", KeyType.integer(1, 10), "the maximum number of status queries after each attempt")
            .or(Settle.DEFAULT_QUERIES)
            .formerly("questions")
            .alias("attempts max");

    /** The key {@code settle} of a flow. */
    public static final Key<SettleConfig> KEY = Key.of(
                    "settle",
                    KeyType.keys(SETTLE, SettleConfig::read),
                    "what asks the target for the status of a transaction with an unknown ending")
            .without("off")
            .alias("probe");

    public SettleConfig {
        headers = headers == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** The headers named in the URL, which identify a request. */
    public List<String> references() {
        return HEADER_IN_BRACES
                .matcher(url.value())
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    /** Omits the query of the URL, which may contain a secret. */
    @Override
    public String toString() {
        return "settle by " + url.value().replaceFirst("\\?.*", "");
    }

    private static @Nullable SettleConfig read(ConfigMapping settle) {
        Configured<String> url = settle.find(URL);
        Map<String, Secret> headers = settle.valueOf(HEADERS);
        SettleConfig read = new SettleConfig(
                settle.start(),
                url == null ? Configured.byDefault("") : url,
                headers,
                settle.get(ABSENT_STATUS),
                settle.get(AFTER),
                settle.get(QUERIES));
        ConfigValue status = settle.written(ABSENT_STATUS);
        if (status != null && !HttpStatusProbe.mayMeanAbsent(read.absentStatus().value())) {
            status.refuseValue(
                    "which cannot mean that the transaction does not exist",
                    "write 204, or 400 to 499 except 401, 403, 407, 408, 425 and 429");
        }
        return url == null ? null : read;
    }

    /** The URL as written, if it is valid with a value in place of each header name. */
    private static @Nullable String url(ConfigValue value) {
        String text = value.text();
        String wrong = text == null ? null : wrong(text);
        if (text == null || wrong != null) {
            if (wrong != null) {
                value.refuse(wrong, REMEDY);
            }
            return null;
        }
        URI url = TargetUrl.read(value, HEADER_IN_BRACES.matcher(text).replaceAll("x"));
        return url == null || !isValidRequest(url, value) ? null : text;
    }

    private static @Nullable String wrong(String text) {
        Matcher host = BEFORE_PATH.matcher(text);
        if (host.lookingAt() && host.group().contains("{")) {
            return "has a header in braces before its path, so a request could choose the host";
        }
        if (HEADER_IN_BRACES.matcher(text).results().anyMatch(match -> !HeaderNames.isName(match.group(1)))) {
            return "has braces around something that is not a header name";
        }
        String rest = HEADER_IN_BRACES.matcher(text).replaceAll("");
        if (rest.contains("{") || rest.contains("}")) {
            return "has an unmatched brace";
        }
        return rest.equals(text) ? "does not contain the header that identifies the transaction" : null;
    }

    private static boolean isValidRequest(URI url, ConfigValue value) {
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        try {
            HttpCall.get("/" + url.getRawPath() + query);
            return true;
        } catch (IllegalArgumentException cannot) {
            value.refuse("cannot be queried: " + cannot.getMessage(), REMEDY);
            return false;
        }
    }
}
