package dev.penstock.jdbc;

import dev.penstock.Setting;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a target holds open, and what it shows.
 *
 * @param where in one line, without secrets
 * @param owned closed with the target; null for nothing
 */
record TargetResources(
        String where,
        ConnectionBorrower connectionBorrower,
        CallTimeouts watch,
        @Nullable AutoCloseable owned,
        AtomicBoolean closed,
        List<Setting> settings)
        implements AutoCloseable {
    /** Those of the target, and of its data source if that tells. */
    List<Setting> allSettings() {
        return Stream.concat(settings.stream(), connectionBorrower.settings().stream()).toList();
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        watch.close();
        if (owned != null) {
            try {
                owned.close();
            } catch (Exception nothingMore) {
                System.getLogger(TargetResources.class.getName())
                        .log(System.Logger.Level.WARNING, "the data source was not closed well: {0}", nothingMore);
            }
        }
    }
}
