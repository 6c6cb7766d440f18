package dev.penstock.jdbc.store;

import dev.penstock.Failed;
import dev.penstock.Unknown;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The database that contains the table. Creates the table if it is missing. Thread-safe. */
interface StoreDatabase extends AutoCloseable {
    /** Work on the table. It may be run again when it threw, or when other work committed with it did. */
    interface Work<T> {
        /**
         * Does the work, and leaves the commit to the caller.
         *
         * @param now the time of {@link StoreClock}, in milliseconds
         */
        T run(Connection connection, KeyRows rows, long now) throws SQLException;
    }

    /**
     * Runs the work and commits. Returns when the result survives a crash of the process and a power failure.
     *
     * @throws Failed with cause {@code CONNECT} when there is no connection
     * @throws Unknown when the work threw; it may or may not be committed
     */
    <T> T commit(Work<T> work) throws Failed, Unknown;

    /** Why nothing can be written, in one line; null when it can, or is not known. Does not block. */
    default @Nullable String outage() {
        return null;
    }

    @Override
    void close();

    /** The first line of the database's message, with its SQLState. */
    static String describe(SQLException thrown) {
        String state = thrown.getSQLState();
        String message = thrown.getMessage();
        String first = message == null
                ? thrown.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
        return state == null ? first : first + " (SQL state " + state + ")";
    }

    static Failed noConnection(SQLException error) {
        return new Failed(Failed.Cause.CONNECT, "no connection: " + describe(error), error);
    }

    static Unknown unknown(SQLException thrown) {
        return new Unknown(Unknown.Cause.ERROR, describe(thrown), thrown);
    }

    static void rollBack(Connection connection, Throwable thrown) {
        try {
            connection.rollback();
        } catch (SQLException also) {
            thrown.addSuppressed(also);
        }
    }
}
