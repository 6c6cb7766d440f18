package dev.penstock;

import org.jspecify.annotations.Nullable;

/** A request that can name itself, so that sending it twice takes effect once. */
public interface Keyed {
    /**
     * The request's own value for a kind of key.
     *
     * @param name which key, for instance the header name {@code Idempotency-Key}
     * @return the value, or null when the request has none
     */
    @Nullable
    String key(String name);
}
