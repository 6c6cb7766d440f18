package dev.penstock.jdbc.store;

import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.supervise.Supervisor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A data source that is built on first use. Thread-safe. */
final class LazyDataSource implements Supplier<GuardedDataSource> {
    private final Supplier<GuardedDataSource> build;
    private final Supervisor supervisor = Supervisor.current();
    private @Nullable GuardedDataSource built;

    LazyDataSource(Supplier<GuardedDataSource> build) {
        this.build = build;
    }

    @Override
    public synchronized GuardedDataSource get() {
        GuardedDataSource there = built == null ? supervisor.whileCurrent(build::get) : built;
        built = there;
        return there;
    }

    synchronized void close() {
        if (built != null) {
            built.close();
        }
    }
}
