package dev.penstock;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The three endings without an answer. They are expected outcomes, not programming errors, so they have no stack trace:
 * filling one in costs more than the whole path through a flow.
 */
public abstract sealed class Unanswered extends Exception implements Ending permits Rejected, Failed, Unknown {
    private static final long serialVersionUID = 1L;
    private static final int MAX_DEPTH = 20;
    private static final List<String> OUT_OF_RESOURCES =
            List.of("Too many open files", "Cannot assign requested address", "No space left on device");

    Unanswered(@Nullable String message, @Nullable Throwable origin) {
        super(message, origin, false, false);
    }

    /**
     * {@return the name of this ending in reports, metrics and answers: {@code rejected}, {@code failed} or {@code unknown}}
     */
    public abstract String ending();

    /** {@return the cause of this ending} */
    public abstract Enum<?> why();

    /** {@return the name of the cause ({@link #why()}) in reports, metrics and answers, in lower case} */
    public final String causeName() {
        return why().name().toLowerCase(Locale.ROOT);
    }

    /**
     * {@return the technical reason, safe for logs and pages: the message of this ending and its chain of causes, without
     * secrets} Built by each call.
     */
    public final Reason reason() {
        return Reason.of(this);
    }

    /**
     * {@return whether this ending shows nothing about the target: nothing was sent, the caller was interrupted, or what
     * failed belongs to this process, such as its memory, threads, file descriptors or ports} Such an ending counts neither
     * against the limit nor the breaker nor an endpoint.
     */
    public boolean isOwnFault() {
        Throwable cause = getCause();
        for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
            if (cause instanceof Error || isOutOfResources(cause)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** The JDK has no types for EMFILE and EADDRNOTAVAIL, only their texts; a server's own error is not an IOException. */
    private static boolean isOutOfResources(Throwable cause) {
        String message = cause instanceof IOException ? cause.getMessage() : null;
        return message != null && OUT_OF_RESOURCES.stream().anyMatch(message::contains);
    }

    /**
     * {@return whether a retry without an idempotency key is safe and may succeed: the request is known not to have taken
     * effect, and the cause is transient}
     */
    public abstract boolean isRetryable();
}
