package dev.penstock.races.jdbcidle;

import java.time.Duration;
import javax.sql.DataSource;

/** A contestant: a data source and its end. Safe for many threads. */
record Pool(DataSource source, AutoCloseable end) implements AutoCloseable {
    private static final Duration TO_END = Duration.ofSeconds(3);

    /** What hangs on a dead connection may hang on in its end too; the JVM ends soon after. */
    @Override
    public void close() {
        Thread closing = Thread.ofPlatform().daemon().name("pool-end").start(() -> {
            try {
                end.close();
            } catch (Exception e) {
                // It was measured by then.
            }
        });
        try {
            closing.join(TO_END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
