package dev.penstock.races.jdbcbatch;

import dev.penstock.Ticker;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.race.Scene;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A separate PostgreSQL that waits for the disk at each commit, and is optionally killed at a given time. */
final class BatchScene implements Scene {
    static final String URL = "url";

    /** The downtime, in addition to the time to restart. */
    static final Duration DOWNTIME = Duration.ofSeconds(1);

    private final RealPostgres postgres;
    private final @Nullable Duration killAfter;
    private final Thread killer = Thread.ofPlatform().daemon().name("killer").unstarted(this::killAndRestart);
    private volatile boolean over;
    private volatile List<TimeLine.Fault> faults = List.of();
    private volatile @Nullable IOException failure;

    /**
     * Starts it.
     *
     * @param settings of PostgreSQL, in addition to production-like ones
     * @param killAfter from the start of the load to the kill; null for none
     */
    BatchScene(Map<String, String> settings, @Nullable Duration killAfter) throws SQLException, IOException {
        this.killAfter = killAfter;
        postgres = RealPostgres.start(settings);
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement()) {
            // No unique constraint: duplicate rows must be visible, not rejected.
            statement.execute(
                    "CREATE TABLE entry (place bigserial PRIMARY KEY, id bigint NOT NULL, payload text NOT NULL)");
        } catch (SQLException e) {
            postgres.close();
            throw e;
        }
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of(URL, postgres.url());
    }

    @Override
    public void begin() {
        if (killAfter != null) {
            killer.start();
        }
    }

    private void killAndRestart() {
        long start = Ticker.SYSTEM.nanos();
        try {
            waitUntil(start + Durations.nanos(killAfter == null ? Duration.ZERO : killAfter));
            long killed = Ticker.SYSTEM.nanos();
            postgres.kill();
            waitUntil(killed + DOWNTIME.toNanos());
            postgres.restart();
            faults = List.of(new TimeLine.Fault("kill", (killed - start) / 1e9, (Ticker.SYSTEM.nanos() - start) / 1e9));
        } catch (IOException e) {
            failure = e;
        }
    }

    private void waitUntil(long nanos) {
        while (!over && nanos - Ticker.SYSTEM.nanos() > 0) {
            Ticker.SYSTEM.parkUntil(nanos);
        }
    }

    @Override
    public List<TimeLine.Fault> faults() {
        return faults;
    }

    /** Waits until PostgreSQL is running again. */
    void await() throws InterruptedException {
        killer.join();
    }

    @Override
    public void close() throws IOException {
        over = true;
        LockSupport.unpark(killer);
        try {
            await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        postgres.close();
        IOException failed = failure;
        if (failed != null) {
            throw new IOException("PostgreSQL did not restart: " + failed.getMessage(), failed);
        }
    }
}
