package dev.penstock.cli.probe;

import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;

/** Sends a load to the probed target. */
public interface LoadSender extends AutoCloseable {
    /**
     * Runs a load.
     *
     * @throws InterruptedException the calling thread was interrupted; the load has ended
     */
    LoadResult run(Load<?> load) throws InterruptedException;

    @Override
    void close();
}
