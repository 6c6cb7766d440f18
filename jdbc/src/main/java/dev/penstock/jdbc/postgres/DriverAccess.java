package dev.penstock.jdbc.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.Set;
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
 * Does what {@link PostgresDriver} says. Needs the driver's classes, so it is apart from it.
 *
 * <h2>Design note</h2>
 *
 * <p>The driver's own {@code commit()} proves nothing: it does not look at the command tag, and PostgreSQL answers the COMMIT
 * of a failed transaction with ROLLBACK and without an error. Here COMMIT is sent as a simple query, which no pooler and no
 * forgotten statement can exchange for another, and its tag, the state of the transaction and the warnings are checked.
 */
final class DriverAccess {
    private static final int AS_SIMPLE_QUERY = QueryExecutor.QUERY_NO_METADATA
            | QueryExecutor.QUERY_NO_RESULTS
            | QueryExecutor.QUERY_SUPPRESS_BEGIN
            | QueryExecutor.QUERY_ONESHOT
            | QueryExecutor.QUERY_EXECUTE_AS_SIMPLE;

    /** SQLState "transaction rollback": known to be undone. */
    private static final String ROLLED_BACK = "40000";

    /** SQLState "statement completion unknown". */
    private static final String UNPROVEN = "40003";

    /** The routine of PostgreSQL that warns when a commit stops waiting for its replicas. */
    private static final String REPLICA_WAIT = "SyncRepWaitForLSN";

    /** Classes of SQLStates that poolers use for what they say themselves. */
    private static final Set<String> OF_POOLERS = Set.of("08", "0A", "25", "28", "3D", "53", "57", "58", "XX");

    private DriverAccess() {}

    /** The driver's own connection behind another; null for another driver. */
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
            int before = prepareThreshold(connection, 0);
            try {
                statements.asked(announced, backend(connection));
            } finally {
                prepareThreshold(connection, before);
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
        int before = postgres.getPrepareThreshold();
        if (before != threshold) {
            postgres.setPrepareThreshold(threshold);
        }
        return before;
    }

    private static int backend(Connection connection) throws SQLException {
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
            throw new SQLException(
                    "no transaction was open when it was to be committed: something else ended it", UNPROVEN);
        }
        QueryExecutor executor = postgres.getQueryExecutor();
        Query commit = executor.createSimpleQuery("COMMIT");
        Tag tag = new Tag();
        executor.execute(commit, null, tag, 0, 0, AS_SIMPLE_QUERY);
        if ("ROLLBACK".equals(tag.status) && postgres.getTransactionState() == TransactionState.IDLE) {
            throw new SQLException("the database answered the commit with a rollback", ROLLED_BACK);
        }
        if (!"COMMIT".equals(tag.status)) {
            throw new SQLException("the database answered the commit with " + tag.status, UNPROVEN);
        }
        checkEnded(postgres, tag.warnings);
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
            throw new SQLException("the transaction is still open after its commit", UNPROVEN);
        }
        for (SQLWarning warning = warnings; warning != null; warning = warning.getNextWarning()) {
            if (warning instanceof PSQLWarning said
                    && REPLICA_WAIT.equals(said.getServerErrorMessage().getRoutine())) {
                throw new SQLException(
                        "committed, but no synchronous replica has confirmed it: " + warning.getMessage(), UNPROVEN);
            }
        }
    }

    /** What the database said of a command. */
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

    static boolean isOfPooler(SQLException error) {
        ServerErrorMessage said = said(error);
        String state = error.getSQLState();
        return said != null
                && said.getRoutine() == null
                && state != null
                && state.length() == 5
                && OF_POOLERS.contains(state.substring(0, 2));
    }

    static boolean isProtocolMismatch(SQLException error) {
        ServerErrorMessage said = said(error);
        return said != null && said.getRoutine() != null && "08P01".equals(error.getSQLState());
    }

    static boolean isOutdatedPlan(SQLException error) {
        ServerErrorMessage said = said(error);
        return said != null && "RevalidateCachedQuery".equals(said.getRoutine());
    }

    static boolean allowsNoTransactions(SQLException error) {
        return isOfPooler(error)
                && String.valueOf(error.getMessage()).contains("transaction blocks not allowed in statement pooling");
    }

    private static @Nullable ServerErrorMessage said(SQLException error) {
        return error instanceof PSQLException known ? known.getServerErrorMessage() : null;
    }
}
