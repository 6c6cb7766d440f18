package dev.penstock.http;

import java.io.IOException;

/** The received bytes are not a valid answer. */
final class MalformedAnswer extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param what what is wrong, such as "more than 200 header fields" */
    MalformedAnswer(String what) {
        super(what);
    }
}
