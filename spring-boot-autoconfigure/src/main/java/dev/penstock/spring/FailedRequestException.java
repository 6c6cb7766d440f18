package dev.penstock.spring;

import dev.penstock.Failed;

/** The request is known not to have taken effect: for instance, there was no connection. */
public final class FailedRequestException extends NoAnswerException {
    private static final long serialVersionUID = 1L;

    FailedRequestException(Failed failed) {
        super(failed);
    }
}
