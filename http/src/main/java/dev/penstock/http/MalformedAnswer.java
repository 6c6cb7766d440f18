package dev.penstock.http;

import java.io.IOException;

/** What came cannot be read as an answer. */
final class MalformedAnswer extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param what as in "it has ..." */
    MalformedAnswer(String what) {
        super("it has " + what);
    }
}
