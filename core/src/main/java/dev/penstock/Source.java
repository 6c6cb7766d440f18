package dev.penstock;

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

    /** Lets nothing new in; what has come in is still answered. */
    void stopAccepting();

    /** Lets go of everything. Does nothing the second time. */
    @Override
    void close();
}
