package dev.penstock.gateway.transport;

import java.lang.ScopedValue.CallableOp;
import org.jspecify.annotations.Nullable;

/** Who sent the request that a thread carries through its flow. */
public final class CurrentCaller {
    private static final ScopedValue<String> KEY = ScopedValue.newInstance();

    private CurrentCaller() {}

    /**
     * Carries a request of a caller.
     *
     * @param key equal for all requests of the caller
     */
    public static <R, X extends Throwable> R carry(String key, CallableOp<R, X> request) throws X {
        return ScopedValue.where(KEY, key).call(request);
    }

    /** The key of the caller; null if it is not known. */
    static @Nullable String key() {
        return KEY.isBound() ? KEY.get() : null;
    }
}
