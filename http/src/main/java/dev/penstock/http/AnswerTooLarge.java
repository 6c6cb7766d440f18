package dev.penstock.http;

import java.io.IOException;

/** The body of an answer has more bytes than are allowed. */
final class AnswerTooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    AnswerTooLarge() {
        super("answer too large");
    }
}
