package dev.penstock.races.httppool;

import java.nio.charset.StandardCharsets;

/**
 * An answer.
 *
 * @param status the status code
 * @param text the whole body
 */
record Reply(int status, String text) {
    /** From a body in bytes. */
    static Reply of(int status, byte[] body) {
        return new Reply(status, new String(body, StandardCharsets.UTF_8));
    }

    /** Whether it is the expected answer. */
    boolean isApproved() {
        return status == 200 && text.contains("approved");
    }
}
