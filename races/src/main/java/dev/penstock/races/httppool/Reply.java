package dev.penstock.races.httppool;

import java.nio.charset.StandardCharsets;

/**
 * What was answered.
 *
 * @param status the status code
 * @param text the whole body
 */
record Reply(int status, String text) {
    /** Of a body in bytes. */
    static Reply of(int status, byte[] body) {
        return new Reply(status, new String(body, StandardCharsets.UTF_8));
    }

    /** Whether it is the answer that it had to be. */
    boolean isApproved() {
        return status == 200 && text.contains("approved");
    }
}
