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
 * What an error of a database means for a transaction.
 *
 * <p>What the database itself says is known: whatever it answers with an error, it has undone. A pooler's own error is no such
 * answer, since the pooler may have lost the database while it committed. So only an error that came
 * instead of its answer leaves a doubt, and only where there was something to keep: where each statement keeps its own
 * effect, or where the word to keep it all was on its way.
 *
 * @param kind what kind of error it is
 * @param error the error itself
 */
record SqlFault(Kind kind, SQLException error) {
    /** The kinds of errors that make a difference to who asked. */
    enum Kind {
        /** It met another transaction: the same again may do better. */
        CONFLICT,
        /** Cancelled, and the database says so. */
        CANCELLED,
        /** The database will not take it, however often it is asked. */
        REFUSED,
        /** Nothing was done, as the connection does not fit: its statements are gone, or its database only reads. Another may. */
        STALE,
        /** The connection ended before the answer. */
        LOST,
        /** Something that does not tell what became of it. */
        UNCLEAR
    }

    /** How far a transaction was when the error came. */
    enum Phase {
        /** Not yet told to keep it, or there is nothing to keep. */
        OPEN,
        /** Told to keep it, whether by a commit or by a statement that is its own transaction. */
        KEEPING
    }

    /** Cancelled on request: PostgreSQL and H2, and MySQL. */
    private static final Set<String> CANCELLED = Set.of("57014", "70100");

    /** A lock that was not to be had, in PostgreSQL and H2; too many connections, memory or disk used. */
    private static final Set<String> PASSING = Set.of("55P03", "55006", "HYT00");

    /** The server shuts down, has crashed or starts up (PostgreSQL); the database is closed (H2). */
    private static final Set<String> GONE = Set.of("57P01", "57P02", "57P03", "57P05", "90067", "90098", "90121");

    /** Statement completion unknown: a commit without a proof. */
    private static final String UNPROVEN = "40003";

    /**
     * Prepared statements that are missing or there already (a pooler, a failover, DISCARD), a database that only reads (a
     * standby), a transaction that somebody left broken.
     */
    private static final Set<String> STALE = Set.of("26000", "42P05", "25006", "25P01", "25P02");

    /** What MariaDB and MySQL say without a state of their own: a lock was not to be had in time; ... */
    private static final int LOCK_TIMEOUT = 1205;

    /** ... the server only reads; ... */
    private static final Set<Integer> READ_ONLY = Set.of(1290, 1836);

    /** ... and the connection was ended, which has the state of a statement that was cancelled. */
    private static final int CONNECTION_KILLED = 1927;

    static SqlFault of(SQLException error) {
        return new SqlFault(kind(error), error);
    }

    private static Kind kind(SQLException error) {
        String state = error.getSQLState();
        if (state == null || state.length() != 5) {
            return byType(error);
        }
        if (PostgresDriver.isOfPooler(error) || error.getErrorCode() == CONNECTION_KILLED) {
            return Kind.LOST;
        }
        if (STALE.contains(state) || PostgresDriver.isProtocolMismatch(error) || PostgresDriver.isOutdatedPlan(error)) {
            return Kind.STALE;
        }
        if (CANCELLED.contains(state)) {
            return Kind.CANCELLED;
        }
        if (PASSING.contains(state)) {
            return Kind.CONFLICT;
        }
        if (GONE.contains(state)) {
            return Kind.LOST;
        }
        if (UNPROVEN.equals(state)) {
            return Kind.UNCLEAR;
        }
        return switch (state.substring(0, 2)) {
            case "08" -> Kind.LOST;
            case "40" -> state.equals("40002") ? Kind.REFUSED : Kind.CONFLICT;
            case "53" -> Kind.CONFLICT;
            case "99" -> byType(error);
            case "HY" -> byNumber(error);
            default -> Kind.REFUSED;
        };
    }

    private static Kind byNumber(SQLException error) {
        int number = error.getErrorCode();
        if (READ_ONLY.contains(number)) {
            return Kind.STALE;
        }
        return number == LOCK_TIMEOUT ? Kind.CONFLICT : byType(error);
    }

    /** For drivers that give no SQLState of the standard. */
    private static Kind byType(SQLException error) {
        return switch (error) {
            case SQLTimeoutException _ -> Kind.CANCELLED;
            case SQLTransactionRollbackException _ -> Kind.CONFLICT;
            case SQLNonTransientConnectionException _, SQLRecoverableException _ -> Kind.LOST;
            case SQLIntegrityConstraintViolationException _ -> Kind.REFUSED;
            default -> error.getCause() instanceof IOException ? Kind.LOST : Kind.UNCLEAR;
        };
    }

    /** Whether the connection can be used after it. */
    boolean leavesConnection() {
        return kind != Kind.LOST && kind != Kind.UNCLEAR && kind != Kind.STALE;
    }

    /** Whether nothing of it took effect, so that a part of it may be sent again. */
    boolean isUndone(Phase phase) {
        return switch (kind) {
            case CONFLICT, CANCELLED, REFUSED, STALE -> true;
            case LOST, UNCLEAR -> phase != Phase.KEEPING;
        };
    }

    /**
     * How the transaction ended by it.
     *
     * @param phase how far it was
     * @param late whether its time was up, so that it was to be cancelled, or its connection cut
     */
    Unanswered ending(Phase phase, boolean late) {
        if (!isUndone(phase)) {
            return inDoubt(late);
        }
        if (late && kind != Kind.REFUSED) {
            return new Failed(Failed.Cause.UNDONE, "the time was up, and it was undone: " + words(), error);
        }
        return switch (kind) {
            case CANCELLED -> new Failed(Failed.Cause.UNDONE, "the database has cancelled it: " + words(), error);
            case REFUSED -> new Failed(Failed.Cause.REFUSED, "the database refused it: " + words(), error);
            case CONFLICT, STALE, LOST, UNCLEAR ->
                new Failed(Failed.Cause.ROLLED_BACK, "nothing of it was kept: " + words(), error);
        };
    }

    private Unknown inDoubt(boolean late) {
        if (late) {
            return new Unknown(
                    Unknown.Cause.TIMEOUT,
                    "no answer within the time allowed, and no word that it was cancelled: " + words(),
                    error);
        }
        if (Thread.currentThread().isInterrupted()) {
            return new Unknown(Unknown.Cause.INTERRUPTED, "the caller was interrupted: " + words(), error);
        }
        return kind == Kind.LOST
                ? new Unknown(Unknown.Cause.CLOSED, "the connection ended before the answer: " + words(), error)
                : new Unknown(Unknown.Cause.ERROR, "nothing proves what became of it: " + words(), error);
    }

    /** The first line of what the database says, with its SQLState. */
    String words() {
        String message = error.getMessage();
        String first = message == null
                ? error.getClass().getSimpleName()
                : message.lines().findFirst().orElse("").strip();
        @Nullable String state = error.getSQLState();
        return first + " (SQLState " + (state == null ? "none" : state) + ")";
    }
}
