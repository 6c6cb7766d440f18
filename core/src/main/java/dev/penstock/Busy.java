package dev.penstock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An answer that reports the state of the target: whether it is overloaded, such as an HTTP 429 or 503, and its status. The
 * caller gets it like any other answer; the limit counts overload, and retry and breaker may act on a status.
 */
public interface Busy {
    /** {@return whether this answer reports that the target is overloaded} */
    boolean isBusy();

    /** {@return the status of this answer, 100 to 599 as in HTTP; 0 (default) when it has none} */
    default int status() {
        return 0;
    }

    /** {@return how long the target asks to wait before the next attempt; null (default) when it does not say} */
    default @Nullable Duration retryAfter() {
        return null;
    }

    /**
     * {@return whether an answer of any type reports that the target is overloaded; false for null}
     *
     * @param answer any answer; null for none
     */
    static boolean is(@Nullable Object answer) {
        return answer instanceof Busy known && known.isBusy();
    }

    /**
     * {@return the status of an answer of any type; 0 when it has none}
     *
     * @param answer any answer; null for none
     */
    static int statusOf(@Nullable Object answer) {
        return answer instanceof Busy known ? known.status() : 0;
    }
}
