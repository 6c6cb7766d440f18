package dev.penstock.gateway.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deduplication by idempotency key: which requests are executed once, and how long their outcomes are stored.
 *
 * @param location where it is in the file
 * @param key the header with the idempotency key
 * @param per the headers that identify a client; null identifies clients by their credentials
 * @param keep how long outcomes are stored; 1 s to 366 d, default 24 h
 * @param maxAnswer the largest stored answer in bytes; 0 to 16 MB, default 64 KB
 * @param store where keys and outcomes are stored; default a file beside the state file
 */
public record DedupeConfig(
        FileLocation location,
        Configured<String> key,
        @Nullable Configured<List<String>> per,
        Configured<Duration> keep,
        Configured<Long> maxAnswer,
        Configured<DedupeStore> store) {
    /** The headers it reads. */
    public List<String> headers() {
        List<String> headers = new ArrayList<>(per == null ? List.of() : per.value());
        headers.add(key.value());
        return List.copyOf(headers);
    }
}
