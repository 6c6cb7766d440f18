package dev.penstock.http;

import dev.penstock.Failed;
import dev.penstock.http.header.Headers;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The header fields that a target adds to every request. Thread-safe. */
final class FixedHeaders {
    private final Map<String, Supplier<String>> changing;
    private volatile Headers last;

    /**
     * Fields of a target.
     *
     * @param first all of them, as they were first
     * @param changing the values that may change, by name
     */
    FixedHeaders(Headers first, Map<String, Supplier<String>> changing) {
        this.last = first;
        this.changing = new TreeMap<>(changing);
    }

    /**
     * The fields now.
     *
     * @throws Failed the value of one cannot be sent
     */
    Headers now() throws Failed {
        if (changing.isEmpty()) {
            return last;
        }
        Headers now = last;
        for (Map.Entry<String, Supplier<String>> field : changing.entrySet()) {
            String name = field.getKey();
            try {
                String value = field.getValue().get();
                now = value.equals(now.first(name)) ? now : now.with(name, value);
            } catch (RuntimeException unusable) {
                throw new Failed(
                        Failed.Cause.REFUSED,
                        "the configured header " + name + " has no value that can be sent; correct it",
                        unusable);
            }
        }
        last = now;
        return now;
    }
}
