package dev.penstock.jdbc.store;

import dev.penstock.Ticker;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The time that leases and keys are kept by, in milliseconds: how long stores of the table have been open.
 *
 * <h2>Design note</h2>
 *
 * <p>It is no wall clock, for that may jump by a day, and then a key would be new too early and be sent twice. It stands in a
 * row of the table. Each store adds the time that its own monotonic clock measures, and every second the row takes the
 * latest of all stores, and each store takes that of the row. So it goes as fast as time does while one of them is open,
 * and stands still else: then a key is kept longer, never shorter. Stores differ by a second or so.
 *
 * <p>It begins at the time of day, only so that people can read it.
 *
 * <p>Safe for many threads.
 */
final class StoreClock {
    /** No key is like this: each begins with a name and a slash. */
    static final String ID = "#clock";

    private static final long EVERY_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long NANOS_A_MILLI = 1_000_000;

    private final KeyTable table;
    private final Ticker ticker;
    private boolean known;
    private long millis;
    private long at;
    private long nextExchange;

    StoreClock(KeyTable table, Ticker ticker) {
        this.table = table;
        this.ticker = ticker;
    }

    /** The time; exchanged with the table once a second. */
    long now(Connection connection) throws SQLException {
        if (isDue(ticker.nanos())) {
            learn(exchange(connection, own(ticker.nanos())), ticker.nanos());
        }
        return own(ticker.nanos());
    }

    private synchronized boolean isDue(long nanos) {
        if (known && nanos - nextExchange < 0) {
            return false;
        }
        nextExchange = nanos + EVERY_NANOS;
        return true;
    }

    private synchronized long own(long nanos) {
        return known ? millis + (nanos - at) / NANOS_A_MILLI : 0;
    }

    private synchronized void learn(long stored, long nanos) {
        millis = Math.max(stored, own(nanos));
        at = nanos;
        known = true;
    }

    private long exchange(Connection connection, long mine) throws SQLException {
        try (PreparedStatement update = KeyRows.prepared(
                connection, "update " + table.name() + " set lease_until = ? where id = ? and lease_until < ?")) {
            update.setLong(1, mine);
            update.setString(2, ID);
            update.setLong(3, mine);
            update.executeUpdate();
        }
        try (PreparedStatement select =
                KeyRows.prepared(connection, "select lease_until from " + table.name() + " where id = ?")) {
            select.setString(1, ID);
            try (ResultSet found = select.executeQuery()) {
                if (found.next()) {
                    return found.getLong(1);
                }
            }
        }
        return table.beginClock(connection, Math.max(mine, System.currentTimeMillis()));
    }
}
