package dev.penstock.jdbc;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.jdbc.postgres.PostgresDriver;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A statement with named parameters, executed on one connection at a time. Thread-safe. */
final class NamedStatement {
    private final NamedSql text;
    private final boolean reading;
    private final RowReader reader;
    private volatile @Nullable SqlDialect dialect;
    private volatile @Nullable Boolean returnsRows;
    private volatile boolean transactionsDisabled;

    /**
     * Wraps a parsed statement.
     *
     * @param reading whether it only reads
     * @param reader reads its rows, if it returns any
     */
    NamedStatement(NamedSql text, boolean reading, RowReader reader) {
        this.text = text;
        this.reading = reading;
        this.reader = reader;
    }

    NamedSql text() {
        return text;
    }

    boolean isReading() {
        return reading;
    }

    RowReader reader() {
        return reader;
    }

    /** The dialect of the database; detected once, since all connections lead to the same database. */
    SqlDialect dialect(Connection connection) throws SQLException {
        SqlDialect known = dialect;
        if (known == null) {
            known = SqlDialect.of(connection);
            dialect = known;
        }
        return known;
    }

    /**
     * Executes each request separately from now on, since a connection pooler in front of the database rejects
     * transactions of several statements.
     */
    void disableTransactions() {
        transactionsDisabled = true;
    }

    /** Why each request must be executed separately; null if it need not. */
    @Nullable
    String runsAlone() {
        if (transactionsDisabled) {
            return "the connection pooler rejects transactions of several statements; switch it to transaction mode";
        }
        return Boolean.TRUE.equals(returnsRows) ? "the statement returns rows, and a batch reports only counts" : null;
    }

    /** Asks the database once whether the statement returns rows. */
    void describe(JdbcSession session) throws Unanswered {
        if (returnsRows == null) {
            NamedStatement _ = session.callForBatch(this::described);
        }
    }

    private NamedStatement described(Connection connection, CallTimeouts.Call timeout) {
        try {
            if (!connection.getAutoCommit()) {
                connection.setAutoCommit(true);
            }
            try (PreparedStatement prepared = connection.prepareStatement(text.sql())) {
                ResultSetMetaData columns = prepared.getMetaData();
                returnsRows = columns != null && columns.getColumnCount() > 0;
            }
        } catch (SQLException error) {
            // Its execution reports it.
            if (!SqlFault.of(error).isConnectionUsable()) {
                timeout.markUnusable(error);
            }
        }
        return this;
    }

    /** Fails a request that lacks a parameter, before anything is sent. */
    void check(JdbcRequest request) throws Failed {
        for (String name : text.names()) {
            if (!request.has(name)) {
                throw new Failed(
                        Failed.Cause.REFUSED,
                        "parameter " + name + " is missing, so nothing was sent; set it, to null if it has no value");
            }
        }
    }

    /**
     * Fails a request that the database would not store as given, before anything is sent.
     *
     * @return its size, see {@link SqlDialect#size}
     */
    long check(Connection connection, JdbcRequest request) throws Failed, SQLException {
        long size = dialect(connection).size(text, request);
        if (size > dialect(connection).maxPacket()) {
            // It may have been raised since.
            forgetDialect();
        }
        dialect(connection).check(text, request, size);
        return size;
    }

    /** Asks the next connection what its database allows, since that may be why the last one ended. */
    void forgetDialect() {
        dialect = null;
    }

    /** Executes the statement for one request, in a transaction of its own. */
    JdbcAnswer run(Connection connection, CallTimeouts.Call timeout, JdbcRequest request)
            throws Unanswered, SQLException {
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
        check(connection, request);
        PreparedStatement statement = connection.prepareStatement(text.sql());
        try {
            statement.setMaxRows(reader.maxRows() + 1);
            dialect(connection).bind(statement, text.names(), request);
            timeout.executing(statement);
            return execute(connection, statement, timeout, reading || request.isReadOnly());
        } finally {
            close(statement, timeout);
        }
    }

    /** Closes what a call used. An error changes no ending, since the database has answered; it ends the connection. */
    static void close(AutoCloseable used, CallTimeouts.Call timeout) {
        try {
            used.close();
        } catch (Exception | LinkageError broken) {
            timeout.markUnusable();
        }
    }

    private JdbcAnswer execute(
            Connection connection, PreparedStatement statement, CallTimeouts.Call timeout, boolean readOnly)
            throws Unanswered {
        boolean hasRows;
        try {
            hasRows = statement.execute();
            if (!readOnly) {
                PostgresDriver.checkCommitted(connection, statement.getWarnings());
            }
        } catch (SQLException error) {
            throw SqlFault.of(error)
                    .ending(readOnly ? SqlFault.Phase.OPEN : SqlFault.Phase.COMMITTING, timeout.isTimedOut());
        }
        try {
            if (!hasRows) {
                return new JdbcAnswer.Updated(Math.max(0, statement.getUpdateCount()));
            }
            ResultSet results = statement.getResultSet();
            try {
                return reader.read(results);
            } finally {
                close(results, timeout);
            }
        } catch (SQLException unreadable) {
            throw unreadable(SqlFault.of(unreadable), timeout, readOnly);
        } catch (RowReader.ResultTooLarge large) {
            throw resultTooLarge(large, readOnly);
        }
    }

    /**
     * The statement has committed by then, so even an error that looks like a refusal does not mean that it was rolled
     * back.
     */
    private static Unanswered unreadable(SqlFault fault, CallTimeouts.Call timeout, boolean readOnly) {
        return readOnly
                ? fault.ending(SqlFault.Phase.OPEN, timeout.isTimedOut())
                : new Unknown(
                        Unknown.Cause.GARBLED,
                        "the statement took effect, but its result cannot be read: " + fault.describe(),
                        fault.error());
    }

    private static Unanswered resultTooLarge(RowReader.ResultTooLarge large, boolean readOnly) {
        return readOnly
                ? new Failed(Failed.Cause.REFUSED, "the result has " + large.getMessage(), large)
                : Unknown.ofThisProcess(
                        Unknown.Cause.GARBLED,
                        "the statement took effect, but its result has " + large.getMessage(),
                        large);
    }
}
