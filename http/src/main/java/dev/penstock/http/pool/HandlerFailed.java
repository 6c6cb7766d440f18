package dev.penstock.http.pool;

import java.io.IOException;

/** This side closed a connection, because its event handler failed. */
public final class HandlerFailed extends IOException {
    private static final long serialVersionUID = 1L;

    HandlerFailed(Throwable why) {
        super("its event handler failed: " + why, why);
    }
}
