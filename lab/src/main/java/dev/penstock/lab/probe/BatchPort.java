package dev.penstock.lab.probe;

import java.time.Duration;

/** Makes batch calls. For one thread. */
public interface BatchPort {
    /** The maximum items per call. */
    int most();

    /**
     * Makes one call.
     *
     * @param items items in the call; 1 to {@link #most}
     * @return the time of the call
     * @throws Exception when the answer is missing or wrong
     */
    Duration call(int items) throws Exception;
}
