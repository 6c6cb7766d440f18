package dev.penstock.spring;

import dev.penstock.Unknown;

/**
 * The request was sent and no answer came: it may or may not have taken effect. Sent again without an idempotency key, it may
 * take effect twice.
 */
public final class UnknownOutcomeException extends NoAnswerException {
    private static final long serialVersionUID = 1L;

    UnknownOutcomeException(Unknown unknown) {
        super(unknown);
    }
}
