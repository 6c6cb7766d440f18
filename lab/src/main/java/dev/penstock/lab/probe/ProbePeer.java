package dev.penstock.lab.probe;

import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dependency as a probe sees it: the seam between the lab, which knows no transport, and each transport. Used by one thread,
 * which may run the load on many.
 */
public interface ProbePeer extends AutoCloseable {
    /** What is probed, without secrets. */
    String where();

    /** Sends a load of harmless requests to it, over as many connections as that load has callers. */
    LoadResult run(Load<?> load) throws InterruptedException;

    /** What it says of its own limits. */
    List<AnnouncedLimit> announced() throws IOException, InterruptedException;

    /** Connections that are left alone to see when they are killed; null where there are none to speak of. */
    @Nullable
    IdlePort idle();

    /** Calls that carry many items at once; null where no batch form is known. */
    @Nullable
    BatchPort batch();

    @Override
    void close();
}
