package dev.penstock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;

/** Where connections come from, within a time, and how a bad one is kept from others. Safe for many threads. */
interface Lender {
    /**
     * Lends a connection; {@link Connection#close} gives it back.
     *
     * @param nanos how long it may take
     * @throws SQLException there is none
     * @throws Busy none came in time, or the caller was interrupted
     */
    Connection lend(long nanos) throws SQLException, Busy;

    /** Takes back a connection that nobody else may have any more. */
    void discard(Connection connection);

    /** How many connections there are, by state; nothing where the data source does not tell. */
    Map<String, Long> connections();

    static Lender of(DataSource dataSource) {
        return new AnyLender(dataSource);
    }

    /** None came free in time. */
    final class Busy extends Exception {
        private static final long serialVersionUID = 1L;

        Busy(String message) {
            super(message, null, false, false);
        }
    }
}
