package dev.penstock.lab.probe;

import java.io.IOException;

/** Opens connections that are then left alone. Safe for many threads. */
@FunctionalInterface
public interface IdlePort {
    /**
     * Opens a connection and uses it once, so that it is known to work and its idle time begins now.
     *
     * @throws IOException when it cannot, in one line that says what to do
     */
    IdleConnection open() throws IOException;
}
