package dev.penstock.lab.probe;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A connection left idle. For one thread at a time. */
public interface IdleConnection extends AutoCloseable {
    /** How an idle connection is killed by the peer or by a middlebox. */
    enum KillKind {
        /** Closed with FIN: both sides are notified. */
        FIN,
        /** Reset with RST. */
        RST,
        /** Dropped without notification: requests get no answer. */
        SILENT
    }

    /** Opens connections for the measurement of idle kills. Thread-safe. */
    @FunctionalInterface
    interface Port {
        /**
         * Opens a connection and uses it once: the connection is known to work, and its idle time starts now.
         *
         * @throws IOException when that fails; the message says what to do
         */
        IdleConnection open() throws IOException;
    }

    /**
     * Waits for the peer to close the connection. Sends nothing.
     *
     * @param atMost maximum wait
     * @return how the connection was closed; null when it was not, as far as this side was notified
     */
    @Nullable
    KillKind ended(Duration atMost) throws InterruptedException;

    /**
     * Uses the connection once; its idle time starts again.
     *
     * @param atMost maximum wait for the answer
     * @return how the connection was killed, {@link KillKind#SILENT} when no answer came; null when it works
     */
    @Nullable
    KillKind use(Duration atMost) throws InterruptedException;

    /** Idempotent. A call that was not answered in time ends too, as far as the transport can end it. */
    @Override
    void close();
}
