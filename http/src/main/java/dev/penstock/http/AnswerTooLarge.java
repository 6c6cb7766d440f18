package dev.penstock.http;

import java.io.IOException;

/** The body of an answer exceeds the maximum size. */
final class AnswerTooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    AnswerTooLarge() {
        super("answer too large");
    }
}
