package dev.penstock.jdbc.store;

import dev.penstock.fleet.FleetStore;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.postgres.PostgresDriver;
import dev.penstock.jdbc.store.PooledDatabase.LazyDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The shares of fleets in the table {@value #TABLE} of a PostgreSQL database, one row for each member. The table is created if it
 * is missing.
 *
 * <p>A meeting is one transaction under an advisory lock of the fleet's name; it needs four round trips, holds one connection,
 * and ends after {@value #SECONDS} s whatever the database does. Leases are times of the database's clock. They need not survive a
 * power failure, so no commit waits for a disk.
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("exports") // for the gateway
public final class PostgresFleetStore implements FleetStore, AutoCloseable {
    private static final String TABLE = "penstock_fleet";
    private static final int SECONDS = 2;
    private static final Duration LONGEST = Duration.ofSeconds(SECONDS);

    private static final String CREATE =
            "create table if not exists " + TABLE + " (fleet text not null, member text not null,"
                    + " wants bigint not null, holds bigint not null, lease_until timestamptz not null, primary key (fleet, member))"
                    + " with (fillfactor = 50)";
    /** Others wait for this transaction, so it ends soon when this process stops; and it sees what was stored while it waited. */
    private static final String BEGIN =
            "set transaction isolation level read committed; set local synchronous_commit = off;"
                    + " set local lock_timeout = '2s'; set local idle_in_transaction_session_timeout = '2s'";

    private static final String LOCK = "select pg_advisory_xact_lock(hashtextextended('" + TABLE + "/' || ?, 0))";
    private static final String OTHERS = "select member, wants, holds,"
            + " (extract(epoch from lease_until - clock_timestamp()) * 1000)::bigint from " + TABLE
            + " where fleet = ? and member <> ? and lease_until > clock_timestamp()";
    private static final String WRITE = "insert into " + TABLE + " (fleet, member, wants, holds, lease_until)"
            + " values (?, ?, ?, ?, clock_timestamp() + ? * interval '1 millisecond') on conflict (fleet, member) do update"
            + " set wants = excluded.wants, holds = excluded.holds, lease_until = excluded.lease_until";
    private static final String SWEEP =
            "delete from " + TABLE + " where fleet = ? and (member = ? or lease_until <= clock_timestamp())";

    private final LazyDataSource connections;
    private volatile boolean created;

    /**
     * A store that connects on first use.
     *
     * @param database builds the data source, once; closed with the store
     */
    public PostgresFleetStore(Supplier<GuardedDataSource> database) {
        this.connections = new LazyDataSource(database);
    }

    @Override
    public void meet(String fleet, String member, Function<List<Claim>, Claim> decide) throws SQLException {
        inTransaction(fleet, connection -> {
            Claim own = decide.apply(others(connection, fleet, member));
            try (PreparedStatement write = connection.prepareStatement(WRITE)) {
                write.setString(1, fleet);
                write.setString(2, member);
                write.setLong(3, own.wants());
                write.setLong(4, own.holds());
                write.setLong(5, LEASE.toMillis());
                write.executeUpdate();
            }
        });
    }

    private static List<Claim> others(Connection connection, String fleet, String member) throws SQLException {
        List<Claim> others = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(OTHERS)) {
            select.setString(1, fleet);
            select.setString(2, member);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    others.add(new Claim(
                            rows.getString(1), rows.getLong(2), rows.getLong(3), LEASE.minusMillis(rows.getLong(4))));
                }
            }
        }
        return others;
    }

    /** Removes the row of the member, and of those that were killed. */
    @Override
    public void leave(String fleet, String member) throws SQLException {
        inTransaction(fleet, connection -> {
            try (PreparedStatement sweep = connection.prepareStatement(SWEEP)) {
                sweep.setString(1, fleet);
                sweep.setString(2, member);
                sweep.executeUpdate();
            }
        });
    }

    /** Work under the lock of a fleet. */
    private interface Work {
        void run(Connection connection) throws SQLException;
    }

    private void inTransaction(String fleet, Work work) throws SQLException {
        try (Connection connection = connections.get().getConnection(LONGEST)) {
            // Behind a pooler the same name may be another statement, so none is prepared on the server.
            PostgresDriver.prepareThreshold(connection, 0);
            createIfMissing(connection);
            connection.setAutoCommit(false);
            try {
                execute(connection, BEGIN);
                try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
                    lock.setString(1, fleet);
                    lock.execute();
                }
                work.run(connection);
                connection.commit();
            } catch (Throwable thrown) { // also an Error: switching back to autocommit would commit
                StoreDatabase.rollBack(connection, thrown);
                throw thrown;
            }
        }
    }

    private void createIfMissing(Connection connection) throws SQLException {
        if (created) {
            return;
        }
        if (StoreDialect.of(connection) != StoreDialect.POSTGRES) {
            throw new SQLFeatureNotSupportedException("a fleet needs a store in PostgreSQL");
        }
        if (!exists(connection)) {
            try {
                execute(connection, CREATE);
            } catch (SQLException failed) {
                // Another process may have created it at the same time.
                if (!exists(connection)) {
                    throw failed;
                }
            }
        }
        created = true;
    }

    /** Needs no privilege to create tables. */
    private static boolean exists(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select to_regclass('" + TABLE + "') is not null")) {
            return found.next() && found.getBoolean(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
