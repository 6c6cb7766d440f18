package dev.penstock.jdbc;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.jdbc.postgres.ServerStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;

/**
 * A connection for the time of one call: borrowed, watched, and given back, or kept from others when nobody knows what is
 * still on it. Safe for many threads.
 */
final class JdbcSession {
    /** What is done with a connection. */
    @FunctionalInterface
    interface Work<R> {
        /**
         * Does it.
         *
         * @throws SQLException the connection is lost, and with it whatever was not kept
         */
        R on(Connection connection, CallTimeouts.Call watch) throws Unanswered, SQLException;
    }

    /** What may fail without consequence. */
    @FunctionalInterface
    interface Attempt {
        void run() throws SQLException;
    }

    private static final double MARGIN = 0.1;
    private static final long MOST_MARGIN = 50_000_000;

    private final ConnectionBorrower connectionBorrower;
    private final CallTimeouts watch;
    private final long mostNanos;
    private final ServerStatements statements;

    JdbcSession(ConnectionBorrower connectionBorrower, CallTimeouts watch, long mostNanos) {
        this.connectionBorrower = connectionBorrower;
        this.watch = watch;
        this.mostNanos = mostNanos;
        this.statements = connectionBorrower.statements();
    }

    /** The time that the calling thread has left. */
    long left() {
        Deadline deadline = Deadline.current();
        return deadline == null ? mostNanos : Math.min(mostNanos, deadline.nanosLeft());
    }

    /** Does some work within the time left. */
    <R> R call(Work<R> work) throws Unanswered {
        return within(left(), work);
    }

    /** Does some work that others wait for: a little is kept back, so that they hear in time that it was undone. */
    <R> R callForOthers(Work<R> work) throws Unanswered {
        long left = left();
        return within(left - Math.min(MOST_MARGIN, (long) (left * MARGIN)), work);
    }

    private <R> R within(long nanos, Work<R> work) throws Unanswered {
        if (nanos <= 0) {
            throw new Rejected(Rejected.Cause.DEADLINE, "the time was up before a connection was asked for");
        }
        long start = Ticker.SYSTEM.nanos();
        Connection connection = borrow(nanos);
        CallTimeouts.Call call = watch.over(connection, nanos - (Ticker.SYSTEM.nanos() - start));
        boolean good = false;
        try {
            statements.prepare(connection);
            R answer = work.on(connection, call);
            good = !call.isSpoilt();
            SQLException kept = call.spoiltBy();
            if (kept != null) {
                statements.met(kept);
            }
            return answer;
        } catch (Unanswered ending) {
            good = !call.isSpoilt() && !(ending.getCause() instanceof SQLException error && endsConnection(error));
            throw ending;
        } catch (SQLException unprepared) {
            statements.met(unprepared);
            throw SqlFault.of(unprepared).ending(SqlFault.Phase.OPEN, call.isLate());
        } finally {
            call.close();
            giveBack(connection, good && !call.isLate());
        }
    }

    private boolean endsConnection(SQLException error) {
        statements.met(error);
        return !SqlFault.of(error).leavesConnection();
    }

    private Connection borrow(long nanos) throws Unanswered {
        try {
            return connectionBorrower.lend(nanos);
        } catch (ConnectionBorrower.Busy none) {
            throw busy(String.valueOf(none.getMessage()), none);
        } catch (SQLTransientConnectionException none) {
            // A pool that could not open one in time says why by the state, or by the exception behind it.
            if (none.getCause() instanceof SQLException unreachable) {
                throw unreachable(unreachable);
            }
            String state = none.getSQLState();
            if (state != null
                    && state.startsWith("08")
                    && !Thread.currentThread().isInterrupted()) {
                throw unreachable(none);
            }
            throw busy("no connection came free: " + none.getMessage(), none);
        } catch (SQLException unreachable) {
            throw unreachable(unreachable);
        }
    }

    private static Rejected busy(String why, Exception origin) {
        return new Rejected(Rejected.Cause.POOL, why, Duration.ofSeconds(1), origin);
    }

    private static Failed unreachable(SQLException error) {
        return new Failed(
                Failed.Cause.CONNECT,
                "no connection to the database: " + SqlFault.of(error).words(),
                error);
    }

    private void giveBack(Connection connection, boolean good) {
        if (good) {
            quietly(connection::close);
        } else {
            connectionBorrower.discard(connection);
        }
    }

    /** Does what may fail, for instance to close what is lost: what it throws tells nothing that matters any more. */
    static void quietly(Attempt attempt) {
        try {
            attempt.run();
        } catch (SQLException | RuntimeException | LinkageError nothingMore) {
            return;
        }
    }
}
