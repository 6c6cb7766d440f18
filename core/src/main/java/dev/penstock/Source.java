package dev.penstock;

import org.jspecify.annotations.Nullable;

/**
 * Brings requests into flows. Started once, then asked to stop accepting, then closed.
 *
 * <p>Safe for many threads.
 */
public interface Source extends AutoCloseable {
    /** Where it listens or what it reads, in one short line, for people to read. */
    String where();

    /**
     * Begins to bring requests in.
     *
     * @throws java.io.IOException when it cannot, with a message that says what to do
     */
    void start() throws java.io.IOException;

    /**
     * Why nothing comes in although it was started, in one line for people to read; null while all is well. Default: null,
     * for a source that has all it needs once it is started.
     */
    default @Nullable String outage() {
        return null;
    }

    /** Lets nothing new in; what has come in is still answered. */
    void stopAccepting();

    /** Lets go of everything. Does nothing the second time. */
    @Override
    void close();
}
