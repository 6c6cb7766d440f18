package dev.penstock.lab.probe;

import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dependency under probe: the interface between the lab, which depends on no transport, and each transport. Called by
 * one thread; a load may run on many.
 */
public interface ProbePeer extends AutoCloseable {
    /** The target, without secrets. */
    String where();

    /** Sends a load of harmless requests, with one connection per caller of the load. */
    LoadResult run(Load<?> load) throws InterruptedException;

    /** The limits that the target announces. */
    List<AnnouncedLimit> announced() throws IOException, InterruptedException;

    /** Opens connections to measure idle kills; null when the transport has none. */
    IdleConnection.@Nullable Port idle();

    /** Closes the connections kept for later loads, at a peer that may have no others. Default: none are kept long. */
    default void release() {}

    /** Makes batch calls; null when no batch format is known. */
    @Nullable
    Batches batch();

    @Override
    void close();

    /** Makes batch calls. For one thread. */
    interface Batches {
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
}
