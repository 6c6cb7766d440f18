package dev.penstock.lab.probe;

import java.time.Duration;

/** Calls that carry many items at once. For one thread. */
public interface BatchPort {
    /** The most items that one call may carry. */
    int most();

    /**
     * Makes one call.
     *
     * @param items how many it carries; 1 to {@link #most}
     * @return how long it took
     * @throws Exception when it was not answered as it should be
     */
    Duration call(int items) throws Exception;
}
