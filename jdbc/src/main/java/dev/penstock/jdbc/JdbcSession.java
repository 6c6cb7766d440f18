package dev.penstock.jdbc;

import dev.penstock.CallContext;
import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Observation;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.jdbc.postgres.ServerStatements;
import dev.penstock.text.ServerAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Provides a connection for one call: borrows it, enforces the time limit, and gives it back, or discards it when its
 * state is uncertain. Thread-safe.
 */
final class JdbcSession {
    /** Work on a connection. */
    @FunctionalInterface
    interface Work<R> {
        /**
         * Does the work.
         *
         * @throws SQLException when the connection is lost, and everything that was not committed with it
         */
        R on(Connection connection, CallTimeouts.Call timeout) throws Unanswered, SQLException;
    }

    /** An action that may fail without consequence. */
    @FunctionalInterface
    interface Attempt {
        void run() throws SQLException;
    }

    private static final double MARGIN = 0.1;
    private static final long MAX_MARGIN_NANOS = 50_000_000;

    private final String where;
    private final @Nullable ServerAddress server;
    private final ConnectionBorrower connectionBorrower;
    private final CallTimeouts timeouts;
    private final long maxNanos;
    private final ServerStatements statements;

    /**
     * Lends connections to calls.
     *
     * @param where the name of the database, in one line without secrets
     * @param maxNanos the maximum duration of a call without a nearer deadline, in nanoseconds
     */
    JdbcSession(String where, ConnectionBorrower connectionBorrower, CallTimeouts timeouts, long maxNanos) {
        this.where = where;
        this.server = ServerAddress.in(where);
        this.connectionBorrower = connectionBorrower;
        this.timeouts = timeouts;
        this.maxNanos = maxNanos;
        this.statements = connectionBorrower.statements();
    }

    String where() {
        return where;
    }

    ConnectionBorrower borrower() {
        return connectionBorrower;
    }

    /** Calls have no time limit from then on. */
    void close() {
        timeouts.close();
    }

    /** The time left for the calling thread, in nanoseconds. */
    long nanosLeft() {
        Deadline deadline = Deadline.current();
        return deadline == null ? maxNanos : Math.min(maxNanos, deadline.nanosLeft());
    }

    /** Does work within the time left. */
    <R> R call(Work<R> work) throws Unanswered {
        return callWithin(nanosLeft(), work);
    }

    /**
     * Does work that other callers wait for. A part of the time is reserved, so that a cancelled call returns before
     * their deadline.
     */
    <R> R callForBatch(Work<R> work) throws Unanswered {
        long nanosLeft = nanosLeft();
        return callWithin(nanosLeft - Math.min(MAX_MARGIN_NANOS, (long) (nanosLeft * MARGIN)), work);
    }

    private <R> R callWithin(long nanos, Work<R> work) throws Unanswered {
        if (nanos <= 0) {
            throw new Rejected(Rejected.Cause.DEADLINE, "deadline exceeded before a connection was requested");
        }
        describeServer();
        long start = Ticker.SYSTEM.nanos();
        Connection connection = borrow(nanos);
        long borrowed = Ticker.SYSTEM.nanos();
        CallTimeouts.Call call = timeouts.start(connection, nanos - (borrowed - start));
        boolean reusable = false;
        try {
            statements.prepare(connection);
            describe(connection);
            R answer = work.on(connection, call);
            reusable = !call.isUnusable();
            SQLException error = call.unusableBecause();
            if (error != null) {
                statements.detectPooler(error);
            }
            return answer;
        } catch (Unanswered ending) {
            reusable =
                    !call.isUnusable() && !(ending.getCause() instanceof SQLException error && endsConnection(error));
            throw ending;
        } catch (SQLException unprepared) {
            statements.detectPooler(unprepared);
            throw SqlFault.of(unprepared).ending(SqlFault.Phase.OPEN, call.isTimedOut());
        } finally {
            boolean reused = reusable && !call.isTimedOut();
            if (!connectionBorrower.isAbortedUntilReturned()) {
                call.close();
            }
            observe(start, borrowed);
            release(connection, reused);
            call.close();
        }
    }

    private void describeServer() {
        Observation observation = CallContext.currentObservation();
        if (observation != null && server != null) {
            server.describe(observation::attribute);
        }
    }

    /** Describes an attempt by OpenTelemetry's conventions for databases. */
    private static void describe(Connection connection) throws SQLException {
        Observation observation = CallContext.currentObservation();
        if (observation != null) {
            String product = String.valueOf(connection.getMetaData().getDatabaseProductName());
            observation.attribute(
                    "db.system.name",
                    switch (product) {
                        case "PostgreSQL", "MariaDB", "MySQL", "SQLite" -> product.toLowerCase(Locale.ROOT);
                        case "H2" -> "h2database";
                        default -> "other_sql";
                    });
        }
    }

    /** The commit is part of the execution. */
    private void observe(long start, long borrowed) {
        Observation observation = CallContext.currentObservation();
        if (observation != null) {
            long end = Ticker.SYSTEM.nanos();
            observation.exchanged(new Observation.Exchange(
                    where,
                    to -> {
                        to.accept("pool", borrowed - start);
                        to.accept("execute", end - borrowed);
                    },
                    0,
                    0));
        }
    }

    private boolean endsConnection(SQLException error) {
        statements.detectPooler(error);
        return !SqlFault.of(error).isConnectionUsable();
    }

    private Connection borrow(long nanos) throws Unanswered {
        long start = Ticker.SYSTEM.nanos();
        try {
            return connectionBorrower.borrow(nanos);
        } catch (ConnectionBorrower.Busy failed) {
            throw busy(String.valueOf(failed.getMessage()), Ticker.SYSTEM.nanos() - start >= nanos, failed);
        } catch (SQLTransientConnectionException failed) {
            // A pool that could not open a connection in time gives the reason as SQLState or as cause.
            if (failed.getCause() instanceof SQLException unreachable) {
                throw unreachable(unreachable);
            }
            String state = failed.getSQLState();
            if (state != null
                    && state.startsWith("08")
                    && !Thread.currentThread().isInterrupted()) {
                throw unreachable(failed);
            }
            throw busy(
                    "no free connection in the pool: " + failed.getMessage(),
                    Ticker.SYSTEM.nanos() - start >= nanos,
                    failed);
        } catch (SQLException unreachable) {
            throw unreachable(unreachable);
        }
    }

    /** @param late whether the caller's deadline ended the wait, and not pool.wait or an interrupt */
    private static Rejected busy(String why, boolean late, Exception origin) {
        Rejected.Cause cause = late ? Rejected.Cause.DEADLINE : Rejected.Cause.POOL;
        return new Rejected(cause, why, Duration.ofSeconds(1), origin);
    }

    private Failed unreachable(SQLException error) {
        String state = String.valueOf(error.getSQLState());
        String remedy = "that it is running there, and the url";
        if (state.startsWith("28")) {
            remedy = "user and password";
        } else if (state.startsWith("3D")) {
            remedy = "the name of the database in the url";
        }
        return new Failed(
                Failed.Cause.CONNECT,
                "cannot connect to " + where + ": " + SqlFault.of(error).describe() + "; check " + remedy,
                error);
    }

    private void release(Connection connection, boolean reusable) {
        if (reusable) {
            quietly(connection::close);
        } else {
            connectionBorrower.discard(connection);
        }
    }

    /** Runs an action whose failure does not matter, such as closing a lost connection. */
    static void quietly(Attempt attempt) {
        try {
            attempt.run();
        } catch (SQLException | RuntimeException | LinkageError nothingMore) {
            return;
        }
    }
}
