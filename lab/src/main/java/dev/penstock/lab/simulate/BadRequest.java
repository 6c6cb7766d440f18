package dev.penstock.lab.simulate;

import java.io.IOException;

/**
 * Input that is not strict HTTP/1.1, or exceeds a limit: answered with an error status, then the connection is closed.
 */
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

    /** No stack trace: this is normal control flow, not a bug. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
