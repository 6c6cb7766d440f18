package dev.penstock;

import org.jspecify.annotations.Nullable;

/**
 * An answer that may say that the target has too much to do, as 429 and 503 do in HTTP. It is an answer like any other to
 * who asked; the limit takes it for a sign of overload.
 */
public interface Busy {
    /** Whether the target says that it has too much to do. */
    boolean isBusy();

    /** Whether an answer of any kind says so. */
    static boolean is(@Nullable Object answer) {
        return answer instanceof Busy known && known.isBusy();
    }
}
