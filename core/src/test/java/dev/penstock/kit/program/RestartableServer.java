package dev.penstock.kit.program;

import java.io.IOException;

/** A server in a process of its own, whose port and data outlive kill -9. */
public interface RestartableServer extends AutoCloseable {
    /** Where it listens, on 127.0.0.1; the same after each restart. */
    int port();

    /** kill -9 of all its processes, also of suspended ones. Does nothing when it does not run. */
    void kill() throws IOException;

    /** Starts it again on the same port and data; ends it first where it runs. Waits until it serves. */
    void restart() throws IOException;

    /** SIGSTOP. Does nothing when it does not run, or is suspended already. */
    void suspend() throws IOException;

    /** SIGCONT. Does nothing when it is not suspended. */
    void resume() throws IOException;

    @Override
    void close() throws IOException;
}
