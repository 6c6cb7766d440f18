package dev.penstock.http.pool;

import java.io.IOException;

/** A connection was closed by this process because its event handler threw an exception. */
public final class HandlerFailed extends IOException {
    private static final long serialVersionUID = 1L;

    HandlerFailed(Throwable why) {
        super("its event handler failed: " + why, why);
    }
}
