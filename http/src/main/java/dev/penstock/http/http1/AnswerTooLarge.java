package dev.penstock.http.http1;

import java.io.IOException;

/** The body of an answer exceeds the maximum size. */
public final class AnswerTooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    /** The body is larger than allowed. */
    public AnswerTooLarge() {
        super("answer too large");
    }
}
