package dev.penstock.jdbc.store;

import dev.penstock.Ticker;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The clock for leases and retention, in milliseconds: it counts the time during which any store of the table is open.
 *
 * <h2>Design note</h2>
 *
 * <p>It is not the system clock, which may jump by a day; a key would then expire too early, and its request be sent
 * twice. The time is stored in a row of the table. Each store adds the time measured by its own monotonic clock;
 * every second the row takes the latest time of all stores, and each store takes that of the row. So the clock runs
 * while a store is open and stops otherwise: then keys are kept longer, never shorter. The clocks of stores differ by
 * about a second.
 *
 * <p>It starts at the system time, only for readability.
 *
 * <p>Thread-safe.
 */
final class StoreClock {
    /** No key has this form: each begins with a name and a slash. */
    static final String ID = "#clock";

    private static final long EXCHANGE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long NANOS_PER_MILLI = 1_000_000;

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

    /** The current time; synchronized with the table once a second. */
    long now(Connection connection) throws SQLException {
        if (isDue(ticker.nanos())) {
            advance(exchange(connection, local(ticker.nanos())), ticker.nanos());
        }
        return local(ticker.nanos());
    }

    private synchronized boolean isDue(long nanos) {
        if (known && nanos - nextExchange < 0) {
            return false;
        }
        nextExchange = nanos + EXCHANGE_NANOS;
        return true;
    }

    private synchronized long local(long nanos) {
        return known ? millis + (nanos - at) / NANOS_PER_MILLI : 0;
    }

    private synchronized void advance(long stored, long nanos) {
        millis = Math.max(stored, local(nanos));
        at = nanos;
        known = true;
    }

    private long exchange(Connection connection, long mine) throws SQLException {
        try (PreparedStatement update = KeyRows.prepare(
                connection, "update " + table.name() + " set lease_until = ? where id = ? and lease_until < ?")) {
            update.setLong(1, mine);
            update.setString(2, ID);
            update.setLong(3, mine);
            update.executeUpdate();
        }
        Long stored = stored(connection);
        return stored == null ? started(connection, Math.max(mine, System.currentTimeMillis())) : stored;
    }

    private @Nullable Long stored(Connection connection) throws SQLException {
        try (PreparedStatement select =
                KeyRows.prepare(connection, "select lease_until from " + table.name() + " where id = ?")) {
            select.setString(1, ID);
            try (ResultSet found = select.executeQuery()) {
                return found.next() ? found.getLong(1) : null;
            }
        }
    }

    /** Stores the initial time, unless another process has just done so; returns the stored time. */
    private long started(Connection connection, long initial) throws SQLException {
        try (PreparedStatement insert = KeyRows.prepare(
                connection,
                "insert into " + table.name()
                        + " (id, fingerprint, owner, lease_until, kept_until) values (?, '', 0, ?, ?)")) {
            insert.setString(1, ID);
            insert.setLong(2, initial);
            insert.setLong(3, Long.MAX_VALUE);
            insert.executeUpdate();
            return initial;
        } catch (SQLException there) {
            Long stored = stored(connection);
            if (stored == null) {
                throw there;
            }
            return stored;
        }
    }
}
