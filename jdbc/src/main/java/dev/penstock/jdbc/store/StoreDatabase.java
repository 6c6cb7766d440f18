package dev.penstock.jdbc.store;

import dev.penstock.Failed;
import dev.penstock.Unknown;
import java.sql.Connection;
import java.sql.SQLException;

/** Where the table is. Makes the table when it is missing. Safe for many threads. */
interface StoreDatabase extends AutoCloseable {
    /** What is done to the table. It may be done again when it threw, or something that was committed with it. */
    interface Work<T> {
        /**
         * Does it, and leaves the commit to the database.
         *
         * @param now the time that leases and keys are kept by, in milliseconds
         */
        T done(Connection connection, KeyRows rows, long now) throws SQLException;
    }

    /**
     * Does it, and commits. Returns when what it did outlives the process and a power cut.
     *
     * @throws Failed cause connect: there is no connection
     * @throws Unknown it threw; it may be committed or not
     */
    <T> T commit(Work<T> work) throws Failed, Unknown;

    /** Closes what it holds open. */
    @Override
    void close();

    /** The first line of what a database says, with its code. */
    static String words(SQLException thrown) {
        String state = thrown.getSQLState();
        String message = thrown.getMessage();
        String first = message == null
                ? thrown.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
        return state == null ? first : first + " (SQL state " + state + ")";
    }

    static Failed noConnection(SQLException none) {
        return new Failed(Failed.Cause.CONNECT, "no connection: " + words(none), none);
    }

    static Unknown unknown(SQLException thrown) {
        return new Unknown(Unknown.Cause.ERROR, words(thrown), thrown);
    }

    static void rollBack(Connection connection, Throwable thrown) {
        try {
            connection.rollback();
        } catch (SQLException also) {
            thrown.addSuppressed(also);
        }
    }
}
