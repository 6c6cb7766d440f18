package dev.penstock;

import org.jspecify.annotations.Nullable;

/**
 * An answer that may report overload, such as an HTTP 429 or 503. The caller gets it like any other answer; the limit
 * counts it as a sign of overload.
 */
public interface Busy {
    /** {@return whether this answer reports that the target is overloaded} */
    boolean isBusy();

    /**
     * {@return whether an answer of any type reports that the target is overloaded; false for null}
     *
     * @param answer any answer; null for none
     */
    static boolean is(@Nullable Object answer) {
        return answer instanceof Busy known && known.isBusy();
    }
}
