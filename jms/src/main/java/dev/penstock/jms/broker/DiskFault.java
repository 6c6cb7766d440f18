package dev.penstock.jms.broker;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.activemq.artemis.core.io.IOCriticalErrorListener;
import org.jspecify.annotations.Nullable;

/** The first I/O error of a broker, after which it stores nothing more. Thread-safe. */
final class DiskFault implements IOCriticalErrorListener {
    private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();
    private final Runnable onFirst;

    /** @param onFirst runs on a thread of the broker that may hold its locks, so it must not block */
    DiskFault(Runnable onFirst) {
        this.onFirst = onFirst;
    }

    @Override
    public boolean isPreviouslyFailed() {
        return first.get() != null;
    }

    @Override
    public void onIOException(Throwable cause, String message, @Nullable String file) {
        if (first.compareAndSet(null, cause)) {
            onFirst.run();
        }
    }

    /** What the operating system reported; null while there was no error. */
    @Nullable
    String reason() {
        Throwable cause = first.get();
        return cause == null ? null : cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** @throws IOException an earlier write failed */
    void check() throws IOException {
        Throwable cause = first.get();
        if (cause != null) {
            throw new IOException("not stored, because a write failed: " + reason(), cause);
        }
    }
}
