package dev.penstock.jdbc.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Functions of PostgreSQL's driver that JDBC does not expose, if the driver is on Penstock's class path. Otherwise the
 * JDBC equivalents are used: a commit through a driver from another class loader is not verified.
 */
public final class PostgresDriver {
    static final boolean IS_PRESENT = isPresent();

    /** Classes of SQLStates that poolers use in errors of their own. */
    private static final Set<String> POOLER_CLASSES = Set.of("08", "0A", "25", "28", "3D", "53", "57", "58", "XX");

    private PostgresDriver() {}

    private static boolean isPresent() {
        try {
            Class.forName("org.postgresql.core.BaseConnection", false, PostgresDriver.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }

    /**
     * Commits. With PostgreSQL's driver, returns only if the database has confirmed the commit.
     *
     * @throws SQLException with SQLState 40000 when the database rolled back instead, 40003 when neither is confirmed,
     *     or another SQLState from the database or driver
     */
    public static void commit(Connection connection) throws SQLException {
        if (IS_PRESENT) {
            DriverAccess.commit(connection);
        } else {
            connection.commit();
        }
    }

    /**
     * Asks the database to cancel the running statement of a connection. {@link Statement#cancel} of PostgreSQL's
     * driver holds the connection's lock until the database has accepted the request, up to 10 s when the network is
     * down, and an abort waits for that lock. This method holds no lock. The request may hit a later statement, so the
     * connection must not be reused.
     *
     * @param running the statement in execution
     * @throws SQLException when the request could not be sent
     */
    public static void cancel(Connection connection, Statement running) throws SQLException {
        if (!IS_PRESENT || !DriverAccess.cancel(connection)) {
            running.cancel();
        }
    }

    /**
     * Checks that a statement in autocommit mode was committed, as far as visible without a round trip.
     *
     * @param warnings the warnings of the statement
     * @throws SQLException with SQLState 40003 when the commit is not confirmed
     */
    public static void checkCommitted(Connection connection, @Nullable SQLWarning warnings) throws SQLException {
        if (IS_PRESENT) {
            DriverAccess.checkCommitted(connection, warnings);
        }
    }

    /**
     * Sets the number of executions after which the driver prepares a statement on the server.
     *
     * @param threshold 0 for never
     * @return the previous value; with another driver nothing is set, and {@code threshold} is returned
     * @throws SQLException when the connection is closed
     */
    public static int prepareThreshold(Connection connection, int threshold) throws SQLException {
        return IS_PRESENT ? DriverAccess.prepareThreshold(connection, threshold) : threshold;
    }

    /** The routine of PostgreSQL that raised an error; empty if its message names none, null if it is of another origin. */
    private static @Nullable String routine(SQLException error) {
        return IS_PRESENT ? DriverAccess.routine(error) : null;
    }

    /**
     * Whether a connection pooler generated the error; the pooler may not know the outcome of a statement. PostgreSQL
     * includes the routine of its source code in each error, poolers do not.
     */
    public static boolean isOfPooler(SQLException error) {
        String state = error.getSQLState();
        return "".equals(routine(error))
                && state != null
                && state.length() == 5
                && POOLER_CLASSES.contains(state.substring(0, 2));
    }

    /**
     * Whether nothing was executed, because the backend rejected a message of the driver (another statement was prepared under
     * that name), or a prepared plan no longer fits the tables ("cached plan must not change result type").
     */
    public static boolean isOutdated(SQLException error) {
        String routine = routine(error);
        return routine != null
                && ((!routine.isEmpty() && "08P01".equals(error.getSQLState()))
                        || routine.equals("RevalidateCachedQuery"));
    }

    /** Whether PgBouncer runs in statement pooling mode, which rejects transactions of several statements. */
    public static boolean allowsNoTransactions(SQLException error) {
        return isOfPooler(error)
                && String.valueOf(error.getMessage()).contains("transaction blocks not allowed in statement pooling");
    }
}
