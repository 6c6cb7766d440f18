package dev.penstock.jdbc;

import dev.penstock.Setting;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The resources and settings of a target.
 *
 * @param where the name of the database, in one line without secrets
 * @param owned closed with the target; null if the target owns nothing
 */
record TargetResources(
        String where,
        ConnectionBorrower connectionBorrower,
        CallTimeouts timeouts,
        @Nullable AutoCloseable owned,
        AtomicBoolean closed,
        List<Setting> settings)
        implements AutoCloseable {
    /** The settings of the target and, if it reports them, of its data source. */
    List<Setting> allSettings() {
        return Stream.concat(settings.stream(), connectionBorrower.settings().stream())
                .toList();
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        timeouts.close();
        if (owned != null) {
            try {
                owned.close();
            } catch (Exception failed) {
                System.getLogger(TargetResources.class.getName())
                        .log(System.Logger.Level.WARNING, "closing the data source failed: {0}", failed);
            }
        }
    }
}
