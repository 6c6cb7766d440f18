package dev.penstock.spring;

import dev.penstock.Failed;
import dev.penstock.Reason;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.io.IOException;
import org.springframework.web.client.ResourceAccessException;

/**
 * A request of {@code RestClient}, {@code RestTemplate} or {@code @HttpExchange} ended without an answer. An error status of the
 * server is an answer, and no such exception. It is a {@link ResourceAccessException}, so that code that handles those goes on.
 */
public abstract sealed class NoAnswerException extends ResourceAccessException
        permits RejectedRequestException, FailedRequestException, UnknownOutcomeException {
    private static final long serialVersionUID = 1L;

    private final transient Unanswered ending;

    NoAnswerException(Unanswered ending) {
        super(ending.ending() + " (" + ending.causeName() + "): " + ending.getMessage(), cause(ending));
        this.ending = ending;
    }

    /** Spring has I/O errors as causes. */
    private static IOException cause(Unanswered ending) {
        return new IOException(ending.getMessage(), ending);
    }

    static NoAnswerException of(Unanswered ending) {
        return switch (ending) {
            case Rejected rejected -> new RejectedRequestException(rejected);
            case Failed failed -> new FailedRequestException(failed);
            case Unknown unknown -> new UnknownOutcomeException(unknown);
        };
    }

    /** {@return the ending, with its cause} Not part of the serialized form. */
    public Unanswered ending() {
        return ending;
    }

    /** {@return the technical reason, in one line, without secrets} */
    public Reason reason() {
        return ending.reason();
    }
}
