package dev.penstock;

import org.jspecify.annotations.Nullable;

/** A request that may have an idempotency key, so that sending it twice takes effect once. */
public interface Keyed {
    /**
     * The value of a key.
     *
     * @param name the name of the key, for instance the header name {@code Idempotency-Key}
     * @return the value, or null when the request does not have this key
     */
    @Nullable
    String key(String name);
}
