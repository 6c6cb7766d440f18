package dev.penstock.jdbc.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Query;
import org.postgresql.core.QueryExecutor;
import org.postgresql.core.ResultHandlerBase;
import org.postgresql.core.TransactionState;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;

/**
 * Implements {@link PostgresDriver}. Separate because it needs the driver's classes.
 *
 * <h2>Design note</h2>
 *
 * <p>The driver's own {@code commit()} proves nothing: it does not check the command tag, and PostgreSQL answers the
 * COMMIT of a failed transaction with ROLLBACK and without an error. Here COMMIT is sent as a simple query, which no
 * pooler or stale prepared statement can replace by another statement, and its command tag, the transaction state and
 * the warnings are checked. Then {@code commit()} is called too: with no transaction open the driver sends nothing, but
 * wrappers such as a pool see that there is nothing to roll back.
 */
final class DriverAccess {
    private static final int AS_SIMPLE_QUERY = QueryExecutor.QUERY_NO_METADATA
            | QueryExecutor.QUERY_NO_RESULTS
            | QueryExecutor.QUERY_SUPPRESS_BEGIN
            | QueryExecutor.QUERY_ONESHOT
            | QueryExecutor.QUERY_EXECUTE_AS_SIMPLE;

    /** SQLState "transaction rollback": known to be rolled back. */
    private static final String ROLLED_BACK = "40000";

    /** SQLState "statement completion unknown". */
    private static final String COMPLETION_UNKNOWN = "40003";

    /** The routine of PostgreSQL that issues a warning when a commit stops waiting for its synchronous replicas. */
    private static final String REPLICA_WAIT = "SyncRepWaitForLSN";

    private DriverAccess() {}

    /** The driver's connection behind a wrapper; null for another driver. */
    static @Nullable BaseConnection of(Connection connection) throws SQLException {
        try {
            return connection.isWrapperFor(BaseConnection.class) ? connection.unwrap(BaseConnection.class) : null;
        } catch (SQLFeatureNotSupportedException | AbstractMethodError olderDriver) {
            return null;
        }
    }

    /** See {@link ServerStatements#prepare}. */
    static void prepare(ServerStatements statements, Connection connection) throws SQLException {
        PGConnection postgres = of(connection);
        if (postgres == null) {
            return;
        }
        int announced = postgres.getBackendPID();
        if (!statements.isPoolerKnown() && !statements.isDirect(announced)) {
            int previous = prepareThreshold(connection, 0);
            try {
                statements.compare(announced, backendPid(connection));
            } finally {
                prepareThreshold(connection, previous);
            }
        }
        if (statements.isPoolerKnown()) {
            prepareThreshold(connection, 0);
        }
    }

    static int prepareThreshold(Connection connection, int threshold) throws SQLException {
        PGConnection postgres = of(connection);
        if (postgres == null) {
            return threshold;
        }
        int previous = postgres.getPrepareThreshold();
        if (previous != threshold) {
            postgres.setPrepareThreshold(threshold);
        }
        return previous;
    }

    private static int backendPid(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select pg_backend_pid()")) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    static void commit(Connection connection) throws SQLException {
        BaseConnection postgres = of(connection);
        if (postgres == null) {
            connection.commit();
            return;
        }
        if (postgres.getTransactionState() == TransactionState.IDLE) {
            throw new SQLException("no open transaction to commit: it was ended by something else", COMPLETION_UNKNOWN);
        }
        QueryExecutor executor = postgres.getQueryExecutor();
        Query commit = executor.createSimpleQuery("COMMIT");
        Tag tag = new Tag();
        executor.execute(commit, null, tag, 0, 0, AS_SIMPLE_QUERY);
        if ("ROLLBACK".equals(tag.status) && postgres.getTransactionState() == TransactionState.IDLE) {
            throw new SQLException("the database answered COMMIT with ROLLBACK", ROLLED_BACK);
        }
        if (!"COMMIT".equals(tag.status)) {
            throw new SQLException("the database answered COMMIT with " + tag.status, COMPLETION_UNKNOWN);
        }
        checkEnded(postgres, tag.warnings);
        try {
            connection.commit();
        } catch (SQLException closedMeanwhile) {
            return; // the transaction is committed nevertheless
        }
    }

    /** See {@link PostgresDriver#cancel}; false for another driver. */
    static boolean cancel(Connection connection) throws SQLException {
        PGConnection postgres = of(connection);
        if (postgres == null) {
            return false;
        }
        postgres.cancelQuery();
        return true;
    }

    static void checkCommitted(Connection connection, @Nullable SQLWarning warnings) throws SQLException {
        BaseConnection postgres = of(connection);
        if (postgres != null) {
            checkEnded(postgres, warnings);
        }
    }

    private static void checkEnded(BaseConnection postgres, @Nullable SQLWarning warnings) throws SQLException {
        if (postgres.getTransactionState() != TransactionState.IDLE) {
            throw new SQLException("the transaction is still open after COMMIT", COMPLETION_UNKNOWN);
        }
        for (SQLWarning warning = warnings; warning != null; warning = warning.getNextWarning()) {
            if (warning instanceof PSQLWarning serverMessage
                    && REPLICA_WAIT.equals(serverMessage.getServerErrorMessage().getRoutine())) {
                throw new SQLException(
                        "committed, but not confirmed by a synchronous replica: " + warning.getMessage(),
                        COMPLETION_UNKNOWN);
            }
        }
    }

    /** The command tag and the warnings of a command. */
    private static final class Tag extends ResultHandlerBase {
        private @Nullable String status;
        private @Nullable SQLWarning warnings;

        @Override
        public void handleCommandStatus(String status, long updateCount, long insertOID) {
            this.status = status;
        }

        @Override
        public void handleWarning(SQLWarning warning) {
            if (warnings == null) {
                warnings = warning;
            } else {
                warnings.setNextWarning(warning);
            }
        }
    }

    static @Nullable String routine(SQLException error) {
        ServerErrorMessage message = error instanceof PSQLException known ? known.getServerErrorMessage() : null;
        return message == null ? null : Objects.requireNonNullElse(message.getRoutine(), "");
    }
}
