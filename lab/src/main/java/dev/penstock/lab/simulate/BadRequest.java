package dev.penstock.lab.simulate;

import java.io.IOException;

/** Input that is not strict HTTP/1.1, or beyond a bound: answered with a status, then the connection is closed. */
final class BadRequest extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    BadRequest(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }

    /** Expected flow, not a mistake in a program: it needs no stack trace. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
