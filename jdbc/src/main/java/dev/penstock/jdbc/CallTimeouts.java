package dev.penstock.jdbc;

import dev.penstock.jdbc.postgres.PostgresDriver;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import dev.penstock.text.Durations;
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
 * Enforces a time limit for each call: when it is up, the database is asked to cancel the statement; if the call has
 * not returned after a grace period, the connection is aborted.
 *
 * <h2>Design note</h2>
 *
 * <p>JDBC's own limit ({@code setQueryTimeout}) has a resolution of whole seconds, starts again with each statement,
 * and waits without a limit for the answer to its cancel request. Here a single timer thread only decides; everything
 * that may block, such as the connection by which PostgreSQL accepts a cancel request, runs on a virtual thread, one
 * for each late call. A connection whose statement was cancelled is never used again: the request may arrive after the
 * statement has finished, and would cancel the next one.
 *
 * <p>Thread-safe.
 */
final class CallTimeouts implements AutoCloseable {
    /** The state of a call. */
    enum Step {
        /** Running, within its time. */
        RUNNING,
        /** The database was asked to cancel the statement. */
        CANCEL_REQUESTED,
        /** The connection was aborted. */
        ABORTED,
        /** The call has returned: its connection is no longer touched. */
        RETURNED
    }

    private static final Executor VIRTUAL_THREADS =
            task -> Thread.ofVirtual().name("penstock-jdbc-cancel").start(task);

    private final ScheduledThreadPoolExecutor timer;
    private final long graceNanos;
    private final Part part;

    /**
     * Without calls; the timer thread starts with the first one.
     *
     * @param where the database, for the log
     * @param grace time between the cancel request and the abort of the connection
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
     * Starts the time limit of one call. The caller closes the result when the call has returned.
     *
     * @param nanos the time left, in nanoseconds
     */
    Call start(Connection connection, long nanos) {
        Call call = new Call(connection);
        call.cancelTask = timer.schedule(call::requestCancel, Math.max(0, nanos), TimeUnit.NANOSECONDS);
        return call;
    }

    @Override
    public void close() {
        timer.shutdown();
        part.close();
    }

    /** One call on one connection. */
    final class Call implements AutoCloseable {
        private final Connection connection;
        private final AtomicReference<Step> step = new AtomicReference<>(Step.RUNNING);
        private volatile @Nullable ScheduledFuture<?> cancelTask;
        private volatile @Nullable ScheduledFuture<?> abortTask;
        private volatile @Nullable Statement running;
        private boolean unusable;
        private @Nullable SQLException unusableBecause;

        private Call(Connection connection) {
            this.connection = connection;
        }

        /**
         * Sets the statement to cancel when the time is up.
         *
         * @param statement the statement about to be executed; null for work that cannot be cancelled, such as a commit
         * @throws SQLException with SQLState 57014 (query cancelled) when the time is already up
         */
        void executing(@Nullable Statement statement) throws SQLException {
            running = statement;
            if (isTimedOut()) {
                throw new SQLException("deadline exceeded before the statement was sent", "57014");
            }
        }

        /** Clears the statement to cancel. */
        void finishedExecuting() {
            running = null;
        }

        /** Whether the time was up before the call returned. */
        boolean isTimedOut() {
            Step now = step.get();
            return now == Step.CANCEL_REQUESTED || now == Step.ABORTED;
        }

        /** Marks the connection as unusable, so that it is discarded after the call. Only on the thread of the call. */
        void markUnusable() {
            unusable = true;
        }

        /** Marks the connection as unusable because of an error that the caller receives as an ending. */
        void markUnusable(SQLException error) {
            unusable = true;
            unusableBecause = error;
        }

        /** The error that made the connection unusable, if it was an error. */
        @Nullable
        SQLException unusableBecause() {
            return unusableBecause;
        }

        boolean isUnusable() {
            return unusable || isTimedOut();
        }

        private void requestCancel() {
            if (step.compareAndSet(Step.RUNNING, Step.CANCEL_REQUESTED)) {
                abortTask = timer.schedule(this::abort, graceNanos, TimeUnit.NANOSECONDS);
                Statement late = running;
                if (late != null) {
                    runAsync(
                            "the connection is aborted after the grace period",
                            () -> PostgresDriver.cancel(connection, late));
                }
            }
        }

        private void abort() {
            if (step.compareAndSet(Step.CANCEL_REQUESTED, Step.ABORTED)) {
                runAsync(
                        "the call returns only when its connection ends by itself",
                        () -> connection.abort(VIRTUAL_THREADS));
            }
        }

        /**
         * Runs on a virtual thread. Catches everything, since the scheduler swallows what its tasks throw, and the
         * thread may fail to start.
         */
        private void runAsync(String afterFailure, JdbcSession.Attempt attempt) {
            try {
                VIRTUAL_THREADS.execute(() -> {
                    try {
                        JdbcSession.quietly(attempt);
                    } catch (Throwable failure) {
                        part.failedOnce(afterFailure, failure);
                    }
                });
            } catch (Throwable cannotStart) {
                part.failed(afterFailure, cannotStart);
            }
        }

        @Override
        public void close() {
            step.compareAndSet(Step.RUNNING, Step.RETURNED);
            cancel(cancelTask);
            cancel(abortTask);
        }

        private void cancel(@Nullable ScheduledFuture<?> task) {
            if (task != null) {
                task.cancel(false);
            }
        }
    }
}
