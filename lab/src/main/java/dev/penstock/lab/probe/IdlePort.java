package dev.penstock.lab.probe;

import java.io.IOException;

/** Opens connections for the measurement of idle kills. Thread-safe. */
@FunctionalInterface
public interface IdlePort {
    /**
     * Opens a connection and uses it once: the connection is known to work, and its idle time starts now.
     *
     * @throws IOException when that fails; the message says what to do
     */
    IdleConnection open() throws IOException;
}
