package dev.penstock.races.jdbcidle;

import java.time.Duration;
import javax.sql.DataSource;

/** A contestant: a data source and how to close it. Thread-safe. */
record Pool(DataSource source, AutoCloseable end) implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

    /** A pool that hangs on a dead connection may hang on close too; the JVM ends soon after. */
    @Override
    public void close() {
        Thread closing = Thread.ofPlatform().daemon().name("pool-end").start(() -> {
            try {
                end.close();
            } catch (Exception e) {
                // The measurement is complete by then.
            }
        });
        try {
            closing.join(CLOSE_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
