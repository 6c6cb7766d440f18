package dev.penstock.spring;

import dev.penstock.Rejected;
import java.time.Duration;

/** The request was never sent, for instance because the limit or the breaker rejected it. It is safe to send it again. */
public final class RejectedRequestException extends NoAnswerException {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    RejectedRequestException(Rejected rejected) {
        super(rejected);
        this.retryAfter = rejected.retryAfter();
    }

    /** {@return how long the caller should wait before it tries again} */
    public Duration retryAfter() {
        return retryAfter;
    }
}
