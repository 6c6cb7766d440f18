package dev.penstock.gateway.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are carried once, and what is kept of them.
 *
 * @param place where the file asks for it
 * @param key the header that names a transaction
 * @param per the headers that tell clients apart; null for by their credentials
 * @param keep for how long endings and answers are kept; 1 s to 366 d, default 24 h
 * @param maxAnswer how many bytes of an answer are kept; 0 to 16 MB, default 64 KB
 * @param store where they are kept; a file in the state folder unless given
 */
public record DedupeConfig(
        FileLocation place,
        Configured<String> key,
        @Nullable Configured<List<String>> per,
        Configured<Duration> keep,
        Configured<Long> maxAnswer,
        Configured<DedupeStore> store) {
    /** The headers that it looks at by name. */
    public List<String> headers() {
        List<String> headers = new ArrayList<>(per == null ? List.of() : per.value());
        headers.add(key.value());
        return List.copyOf(headers);
    }
}
