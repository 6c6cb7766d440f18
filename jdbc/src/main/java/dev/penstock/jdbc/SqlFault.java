package dev.penstock.jdbc;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.jdbc.postgres.PostgresDriver;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Classifies an SQL error by its effect on the transaction.
 *
 * <p>An error response from the database means that the transaction was rolled back. An error that a connection pooler
 * generated does not, since the pooler may have lost the database during the commit. So the outcome is unknown only if
 * the error came instead of the database's response, and only if there was something to commit: in autocommit mode, or
 * while a commit was in flight.
 *
 * @param kind the kind of error
 * @param error the error itself
 */
record SqlFault(Kind kind, SQLException error) {
    /** The kinds of errors that callers handle differently. */
    enum Kind {
        /** A conflict with another transaction: a retry may succeed. */
        CONFLICT,
        /** The database reports that the statement was cancelled. */
        CANCELLED,
        /** The database refuses the statement, on every attempt. */
        REFUSED,
        /**
         * The statement was not executed, because the connection does not fit: its prepared statements are gone, or its
         * server is read-only. Another connection may work.
         */
        STALE,
        /** The connection was lost before the response. */
        LOST,
        /** The error does not tell whether the statement took effect. */
        UNCLEAR
    }

    /** The state of the transaction when the error occurred. */
    enum Phase {
        /** Not yet committing, or there is nothing to commit. */
        OPEN,
        /** A commit, or a statement in autocommit mode, was sent. */
        COMMITTING
    }

    /** Query cancelled: 57014 in PostgreSQL and H2, 70100 in MySQL. */
    private static final Set<String> CANCELLED = Set.of("57014", "70100");

    /** Lock not available (PostgreSQL 55P03, H2 HYT00); object in use (55006). */
    private static final Set<String> TRANSIENT = Set.of("55P03", "55006", "HYT00");

    /** The server is shutting down, has crashed or is starting (PostgreSQL); the database is closed (H2). */
    private static final Set<String> SERVER_GONE =
            Set.of("57P01", "57P02", "57P03", "57P05", "90067", "90098", "90121");

    /**
     * A type that does not fit the column (PostgreSQL), a row that is too large for an index, an error that a trigger
     * or function raises (PostgreSQL, MariaDB).
     */
    private static final Set<String> VALUES = Set.of("42804", "54000", "P0001", "45000");

    /** Statement completion unknown: a commit that was not confirmed. */
    private static final String COMPLETION_UNKNOWN = "40003";

    /** Prepared statement missing or already present (a pooler, a failover, DISCARD). */
    private static final Set<String> STALE = Set.of("26000", "42P05");

    /** MariaDB and MySQL error codes without a specific SQLState. Lock wait timeout exceeded. */
    private static final int LOCK_TIMEOUT = 1205;

    private static final int MARIADB_DEADLOCK = 1213;

    /** The server is read-only; it ended the connection before, because that was idle. */
    private static final Set<Integer> STALE_NUMBERS = Set.of(1290, 1836, 4031);

    /** The connection was killed; its SQLState is that of a cancelled statement. */
    private static final int CONNECTION_KILLED = 1927;

    static SqlFault of(SQLException error) {
        return new SqlFault(kind(error), error);
    }

    /**
     * The fault of a transaction of several requests. None of them was refused: a refusal is an error of one request,
     * and this one ended all.
     */
    SqlFault ofTransaction() {
        return kind == Kind.REFUSED ? new SqlFault(Kind.LOST, error) : this;
    }

    private static Kind kind(SQLException error) {
        String state = error.getSQLState();
        if (state == null || state.length() != 5) {
            return byType(error);
        }
        if (PostgresDriver.isOfPooler(error) || error.getErrorCode() == CONNECTION_KILLED) {
            return Kind.LOST;
        }
        if (STALE.contains(state) || PostgresDriver.isOutdated(error)) {
            return Kind.STALE;
        }
        if (CANCELLED.contains(state)) {
            return Kind.CANCELLED;
        }
        if (TRANSIENT.contains(state)) {
            return Kind.CONFLICT;
        }
        if (SERVER_GONE.contains(state)) {
            return Kind.LOST;
        }
        if (COMPLETION_UNKNOWN.equals(state)) {
            return Kind.UNCLEAR;
        }
        return switch (state.substring(0, 2)) {
            case "08" -> Kind.LOST;
            // A read-only server (a standby), or a transaction that another user of the connection, or a time limit
            // between statements, left open, broken or ended.
            case "25" -> Kind.STALE;
            case "40" -> state.equals("40002") ? Kind.REFUSED : Kind.CONFLICT;
            // Too few resources, an operator, a system error, an internal error: not about the data.
            case "53", "57", "58", "XX" -> Kind.CONFLICT;
            case "99" -> byType(error);
            case "HY" -> byErrorCode(error);
            default -> Kind.REFUSED;
        };
    }

    private static Kind byErrorCode(SQLException error) {
        int number = error.getErrorCode();
        if (STALE_NUMBERS.contains(number)) {
            return Kind.STALE;
        }
        return number == LOCK_TIMEOUT ? Kind.CONFLICT : byType(error);
    }

    /** For drivers without standard SQLStates. */
    private static Kind byType(SQLException error) {
        return switch (error) {
            case SQLTimeoutException _ -> Kind.CANCELLED;
            case SQLTransactionRollbackException _ -> Kind.CONFLICT;
            case SQLNonTransientConnectionException _, SQLRecoverableException _ -> Kind.LOST;
            case SQLIntegrityConstraintViolationException _ -> Kind.REFUSED;
            default -> error.getCause() instanceof IOException ? Kind.LOST : Kind.UNCLEAR;
        };
    }

    /** Whether the connection remains usable. */
    boolean isConnectionUsable() {
        return kind != Kind.LOST && kind != Kind.UNCLEAR && kind != Kind.STALE;
    }

    /** Whether the transaction is known to have had no effect, so that parts of it may be sent again. */
    boolean isUndone(Phase phase) {
        return switch (kind) {
            case CONFLICT, CANCELLED, REFUSED, STALE -> true;
            case LOST, UNCLEAR -> phase != Phase.COMMITTING;
        };
    }

    /**
     * The ending of the transaction.
     *
     * @param phase the state of the transaction when the error occurred
     * @param late whether its time was up, so that it was cancelled or its connection aborted
     */
    Unanswered ending(Phase phase, boolean late) {
        if (!isUndone(phase)) {
            return unknown(late);
        }
        if (late && kind != Kind.REFUSED) {
            return new Failed(Failed.Cause.UNDONE, "deadline exceeded, rolled back: " + describe(), error);
        }
        return switch (kind) {
            case CANCELLED ->
                new Failed(Failed.Cause.UNDONE, "the database cancelled the statement: " + describe(), error);
            case REFUSED ->
                Failed.refused(refusal(), "the database refused the statement: " + describe() + remedy(), error);
            case CONFLICT, STALE, LOST, UNCLEAR ->
                new Failed(Failed.Cause.ROLLED_BACK, "rolled back: " + describe() + remedy(), error);
        };
    }

    private String remedy() {
        String state = String.valueOf(error.getSQLState());
        if (state.startsWith("42")) {
            return "; check the statement, the tables in the database of the url, and what its user may do";
        }
        return state.equals("40P01") || error.getErrorCode() == MARIADB_DEADLOCK
                ? "; send it again (retry), and let all transactions lock their rows in the same order"
                : "";
    }

    private Failed.Refusal refusal() {
        String state = String.valueOf(error.getSQLState());
        if (VALUES.contains(state)) {
            return Failed.Refusal.VALUE;
        }
        return switch (state.substring(0, 2)) {
            // MariaDB reports a value that it would have to cut as 01000.
            case "22", "01" -> Failed.Refusal.VALUE;
            case "23", "44" -> Failed.Refusal.CONFLICT;
            default ->
                error instanceof SQLIntegrityConstraintViolationException
                        ? Failed.Refusal.CONFLICT
                        : Failed.Refusal.OTHER;
        };
    }

    private Unknown unknown(boolean late) {
        if (late) {
            return new Unknown(
                    Unknown.Cause.TIMEOUT,
                    "deadline exceeded, and the cancellation was not confirmed: " + describe(),
                    error);
        }
        if (Thread.currentThread().isInterrupted()) {
            return new Unknown(Unknown.Cause.INTERRUPTED, "the calling thread was interrupted: " + describe(), error);
        }
        return kind == Kind.LOST
                ? new Unknown(Unknown.Cause.CLOSED, "connection lost before the response: " + describe(), error)
                : new Unknown(Unknown.Cause.ERROR, "the outcome could not be confirmed: " + describe(), error);
    }

    /** The first line of the database's message, with the SQLState. */
    String describe() {
        String message = error.getMessage();
        String first = message == null
                ? error.getClass().getSimpleName()
                : message.lines().findFirst().orElse("").strip();
        @Nullable String state = error.getSQLState();
        return first + " (SQLState " + (state == null ? "none" : state) + ")";
    }
}
