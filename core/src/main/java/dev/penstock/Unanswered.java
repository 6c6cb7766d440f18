package dev.penstock;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The three endings without an answer. They are expected flow, not mistakes in a program, so they carry no stack trace:
 * filling one in costs more than the whole way through a flow.
 */
public abstract sealed class Unanswered extends Exception implements Ending permits Rejected, Failed, Unknown {
    private static final long serialVersionUID = 1L;

    Unanswered(@Nullable String message, @Nullable Throwable origin) {
        super(message, origin, false, false);
    }

    /** The word for this ending in accounts, metrics and answers: {@code rejected}, {@code failed} or {@code unknown}. */
    public abstract String ending();

    /** Why, as one of the few causes of this ending. */
    public abstract Enum<?> why();

    /** The word for {@link #why()} in accounts, metrics and answers, in lower case. */
    public final String whyWord() {
        return why().name().toLowerCase(Locale.ROOT);
    }

    /**
     * The technical reason, fit for logs and pages: the sentence of this ending and the chain of exceptions behind it,
     * without secrets. Made anew by each call.
     */
    public final Reason reason() {
        return Reason.of(this);
    }

    /**
     * Whether the same request may be sent again without any key, because it is known never to have reached the target, or
     * not to be there, and may do better the next time.
     */
    public abstract boolean isRepeatable();
}
