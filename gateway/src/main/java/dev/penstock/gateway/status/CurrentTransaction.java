package dev.penstock.gateway.status;

import dev.penstock.Service;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import org.jspecify.annotations.Nullable;

/** The id of the transaction that a thread carries through its flows. */
public final class CurrentTransaction {
    private static final ScopedValue<String> ID = ScopedValue.newInstance();

    private CurrentTransaction() {}

    /** The service, called as a transaction with this id. */
    public static Service<HttpCall, HttpAnswer> carry(String id, Service<HttpCall, HttpAnswer> service) {
        return call -> ScopedValue.where(ID, id).call(() -> service.call(call));
    }

    /** The id; null if the source of the transaction gave it none. */
    public static @Nullable String id() {
        return ID.isBound() ? ID.get() : null;
    }
}
