package dev.penstock.cli.probe;

import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;

/** Sends a load to what is probed. */
public interface LoadSender extends AutoCloseable {
    /**
     * Runs it.
     *
     * @throws InterruptedException the calling thread was interrupted; the load is over then
     */
    LoadResult run(Load<?> load) throws InterruptedException;

    @Override
    void close();
}
