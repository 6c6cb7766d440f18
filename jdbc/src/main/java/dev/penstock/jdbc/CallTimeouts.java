package dev.penstock.jdbc;

import dev.penstock.Durations;
import dev.penstock.jdbc.postgres.PostgresDriver;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Brings calls back whose time is up: the database is asked to cancel, and if that brings nothing back soon, the connection
 * is cut.
 *
 * <h2>Design note</h2>
 *
 * <p>JDBC's own limit ({@code setQueryTimeout}) is in whole seconds, starts anew with each statement, and waits for the
 * answer to its cancel without a bound. One timer thread for all calls only decides; whatever may block, such as the
 * connection by which PostgreSQL takes a cancel, is done on a virtual thread, of which there is one for each call that is
 * late. A connection that was asked to cancel is never used again: the request may arrive after its statement is done, and
 * would hit the next one.
 *
 * <p>Safe for many threads.
 */
final class CallTimeouts implements AutoCloseable {
    /** How far it has gone with a call. */
    enum Step {
        /** The call is in time. */
        NONE,
        /** The database was asked to cancel it. */
        CANCELLED,
        /** Its connection was cut. */
        CUT,
        /** The call is back: nothing is done to its connection any more. */
        BACK
    }

    private static final Executor APART =
            task -> Thread.ofVirtual().name("penstock-jdbc-cancel").start(task);

    private final ScheduledThreadPoolExecutor timer;
    private final long graceNanos;
    private final Part part;

    /**
     * A watch without calls. Its thread starts with the first.
     *
     * @param where the database, for the log
     * @param grace how long a cancel may take before the connection is cut
     */
    CallTimeouts(String where, Duration grace) {
        part = Supervisor.current().part("jdbc-deadlines", where);
        graceNanos = Durations.nanos(grace);
        timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("penstock-jdbc-deadlines").factory());
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Watches one call. To be closed when the call is back.
     *
     * @param nanos the time left
     */
    Call over(Connection connection, long nanos) {
        Call call = new Call(connection);
        call.first = timer.schedule(call::cancel, Math.max(0, nanos), TimeUnit.NANOSECONDS);
        return call;
    }

    @Override
    public void close() {
        timer.shutdown();
        part.close();
    }

    /** One call, on the connection that it has. */
    final class Call implements AutoCloseable {
        private final Connection connection;
        private final AtomicReference<Step> step = new AtomicReference<>(Step.NONE);
        private volatile @Nullable ScheduledFuture<?> first;
        private volatile @Nullable ScheduledFuture<?> second;
        private volatile @Nullable Statement running;
        private boolean spoilt;
        private @Nullable SQLException spoiltBy;

        private Call(Connection connection) {
            this.connection = connection;
        }

        /**
         * What is under way from now on; null for what cannot be cancelled, such as a commit.
         *
         * @throws SQLException the time is up already
         */
        void runs(@Nullable Statement statement) throws SQLException {
            running = statement;
            if (isLate()) {
                throw new SQLException("the time was up before it was sent", "57014");
            }
        }

        /** Nothing is under way that could be cancelled. */
        void runsNothing() {
            running = null;
        }

        /** Whether its time was up before it was back. */
        boolean isLate() {
            Step now = step.get();
            return now == Step.CANCELLED || now == Step.CUT;
        }

        /** Nobody is to have its connection any more. Told on the thread of the call, as is whether it is so. */
        void spoil() {
            spoilt = true;
        }

        /** The same, by an error that the caller gets as an ending. */
        void spoil(SQLException error) {
            spoilt = true;
            spoiltBy = error;
        }

        /** The error that spoilt it, if it was one. */
        @Nullable
        SQLException spoiltBy() {
            return spoiltBy;
        }

        boolean isSpoilt() {
            return spoilt || isLate();
        }

        private void cancel() {
            if (step.compareAndSet(Step.NONE, Step.CANCELLED)) {
                second = timer.schedule(this::cut, graceNanos, TimeUnit.NANOSECONDS);
                Statement late = running;
                if (late != null) {
                    apart(
                            "the connection is cut after the time to cancel",
                            () -> PostgresDriver.cancel(connection, late));
                }
            }
        }

        private void cut() {
            if (step.compareAndSet(Step.CANCELLED, Step.CUT)) {
                apart("the call ends when the connection does", () -> connection.abort(APART));
            }
        }

        /** The schedule tells nobody what its tasks throw, and there may be no thread. */
        private void apart(String afterFailure, JdbcSession.Attempt attempt) {
            try {
                APART.execute(() -> {
                    try {
                        JdbcSession.quietly(attempt);
                    } catch (Throwable failure) {
                        part.failedOnce(afterFailure, failure);
                    }
                });
            } catch (Throwable noThread) {
                part.failed(afterFailure, noThread);
            }
        }

        @Override
        public void close() {
            step.compareAndSet(Step.NONE, Step.BACK);
            stop(first);
            stop(second);
        }

        private void stop(@Nullable ScheduledFuture<?> task) {
            if (task != null) {
                task.cancel(false);
            }
        }
    }
}
