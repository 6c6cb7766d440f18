package dev.penstock;

import org.jspecify.annotations.Nullable;

/**
 * Receives requests and passes them to flows. Life cycle: {@link #start()} once, then {@link #stopAccepting()}, then
 * {@link #close()}.
 *
 * <p>Thread-safe.
 */
public interface Source extends AutoCloseable {
    /** {@return where it listens or what it reads, in one short line for display} */
    String where();

    /**
     * Starts receiving requests.
     *
     * @throws java.io.IOException when it cannot start, with a message that says what to do
     */
    void start() throws java.io.IOException;

    /**
     * {@return why the started source cannot receive requests, in one line for display; null while it can} Default: null, for
     * a source that depends on nothing else once it is started.
     */
    default @Nullable String outage() {
        return null;
    }

    /** Stops accepting requests. Requests already accepted are still answered. */
    void stopAccepting();

    /** Releases all resources. Idempotent. */
    @Override
    void close();
}
