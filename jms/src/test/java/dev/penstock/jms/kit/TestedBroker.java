package dev.penstock.jms.kit;

import dev.penstock.jms.JmsBroker;
import java.io.IOException;

/** A real broker in its own process, with its messages on disk. For one thread. */
public interface TestedBroker extends AutoCloseable {
    /** Its URL for clients. */
    JmsBroker at();

    /** The address of a queue named at the start. */
    default String address(String queue) {
        return queue;
    }

    /** The address of a topic. */
    default String topic(String name) {
        return name;
    }

    /** kill -9. Does nothing when it is not running. */
    void kill();

    /**
     * Starts it again on the same folder and port, after killing it if it is running. Waits until it accepts
     * connections.
     *
     * @throws IOException when it does not start, with its last log lines
     */
    void restart() throws IOException;

    @Override
    void close() throws IOException;
}
