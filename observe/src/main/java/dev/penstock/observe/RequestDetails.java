package dev.penstock.observe;

import org.jspecify.annotations.Nullable;

/** What a record shows of a request. Called on the threads of transactions; must be quick. Thread-safe. */
public interface RequestDetails {
    /** Records show nothing of a request, and each transaction gets an id. */
    RequestDetails NONE = new RequestDetails() {};

    /**
     * The id of a transaction.
     *
     * @param request the request; null when it is not known
     * @return the id; null (default) for a generated one
     */
    default @Nullable String id(@Nullable Object request) {
        return null;
    }

    /**
     * Who sent a request.
     *
     * @param request the request; null when it is not known
     * @return a name; null (default) when it is not known
     */
    default @Nullable String caller(@Nullable Object request) {
        return null;
    }

    /**
     * The idempotency key of a request. A record contains only its hash.
     *
     * @param request the request; null when it is not known
     * @return the key; null (default) for none
     */
    default @Nullable String key(@Nullable Object request) {
        return null;
    }
}
