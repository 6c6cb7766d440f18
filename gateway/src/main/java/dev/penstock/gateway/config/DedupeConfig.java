package dev.penstock.gateway.config;

import dev.penstock.Dedupe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Deduplication by idempotency key: which requests are executed once, and how long their outcomes are stored.
 *
 * @param location where it is in the file
 * @param key the header with the idempotency key
 * @param per the headers that identify a client; null identifies clients by their credentials
 * @param keep how long outcomes are stored; 1 s to 366 d, default 24 h
 * @param maxAnswer the largest stored answer in bytes; 0 to 16 MB, default 64 KB
 */
public record DedupeConfig(
        FileLocation location,
        Configured<String> key,
        @Nullable Configured<List<String>> per,
        Configured<Duration> keep,
        Configured<Long> maxAnswer) {
    private static final String KEY_EXAMPLE = "key: Idempotency-Key";
    private static final String EXAMPLE = "dedupe: { key: Idempotency-Key, keep: 24h }";
    private static final Schema DEDUPE = Schema.of("dedupe", EXAMPLE)
            .removed("store", "all flows have one: write it at the top of the file, or leave it out for embedded");
    private static final Key<String> HEADER = DEDUPE.key(
                    "key", HeaderNames.name(KEY_EXAMPLE), "the request header with the idempotency key")
            .required(KEY_EXAMPLE)
            .alias("header by");
    private static final Key<List<String>> PER = DEDUPE.key(
                    "per",
                    HeaderNames.names("per: Tenant"),
                    "the headers that tell clients apart, each with keys of its own")
            .without("the name of the caller with from.http.auth; otherwise all clients share their keys")
            .alias("scope tenant");
    private static final Key<Duration> KEEP = DEDUPE.key(
                    "keep", KeyType.duration("1s", "366d"), "how long outcomes are kept")
            .or(Dedupe.DEFAULT_KEEP)
            .alias("ttl expire time for");
    private static final Key<Long> MAX_ANSWER = DEDUPE.key(
                    "max_answer", KeyType.size("0B", "16MB"), "the largest body of an answer that is kept")
            .or((long) Dedupe.DEFAULT_MAX_ANSWER)
            .alias("max_body size");

    /** The key {@code dedupe} of a flow. */
    public static final Key<DedupeConfig> KEY = Key.of(
                    "dedupe",
                    KeyType.mapping(DEDUPE, DedupeConfig::read).or(HeaderNames.name(EXAMPLE)),
                    "what executes requests with equal idempotency keys once")
            .without("off")
            .alias("idempotency dedup deduplicate");

    /** The headers it reads. */
    public List<String> headers() {
        List<String> headers = new ArrayList<>(per == null ? List.of() : per.value());
        headers.add(key.value());
        return List.copyOf(headers);
    }

    /** The same with keys for each caller, unless the file has another scope. */
    public DedupeConfig per(Set<String> callerHeaders) {
        return per != null || callerHeaders.isEmpty()
                ? this
                : new DedupeConfig(location, key, Configured.byDefault(List.copyOf(callerHeaders)), keep, maxAnswer);
    }

    private static @Nullable DedupeConfig read(ConfigValue value) {
        if (!value.isMapping()) {
            String header = HeaderNames.one(value, EXAMPLE);
            return header == null ? null : defaults(value.location(), Configured.fromFile(header, value.location()));
        }
        ConfigMapping dedupe = value.mapping(DEDUPE);
        if (dedupe == null) {
            return null;
        }
        Configured<String> key = dedupe.find(HEADER);
        Configured<List<String>> per = dedupe.find(PER);
        Configured<Duration> keep = dedupe.get(KEEP);
        Configured<Long> maxAnswer = dedupe.get(MAX_ANSWER);
        return key == null ? null : new DedupeConfig(value.location(), key, per, keep, maxAnswer);
    }

    private static DedupeConfig defaults(FileLocation location, Configured<String> key) {
        return new DedupeConfig(
                location, key, null, Configured.byDefault(Dedupe.DEFAULT_KEEP), Configured.byDefault((long)
                        Dedupe.DEFAULT_MAX_ANSWER));
    }
}
