package dev.penstock.jms;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Closes objects of a JMS client, whatever it throws and however long it takes. */
final class QuietClose {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private QuietClose() {}

    static void quietly(@Nullable AutoCloseable what) {
        try {
            if (what != null) {
                what.close();
            }
        } catch (Throwable nothingMore) { // also an Error of the client: what is closed is no longer needed
            return;
        }
    }

    /** Closes in the background, since a client may take long to close a dead connection. */
    static Thread inBackground(@Nullable AutoCloseable what) {
        return Thread.ofVirtual().name("penstock-jms-close").start(() -> quietly(what));
    }

    /** Closes and waits, but not for a dead broker. */
    static void soon(@Nullable AutoCloseable what) {
        try {
            boolean _ = inBackground(what).join(TIMEOUT);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
