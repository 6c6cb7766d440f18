package dev.penstock.jdbc;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.jdbc.postgres.PostgresDriver;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A statement with its parameters, run on one connection at a time. Safe for many threads. */
final class NamedStatement {
    private final NamedSql text;
    private final boolean reading;
    private final RowReader reader;
    private final @Nullable MultiRowInsert rowsAtOnce;
    private volatile @Nullable SqlDialect dialect;
    private volatile boolean leavesRowsOut;
    private volatile boolean alone;

    /**
     * A statement.
     *
     * @param reading whether it only reads
     * @param reader reads its rows, if it has any
     */
    NamedStatement(NamedSql text, boolean reading, RowReader reader) {
        this.text = text;
        this.reading = reading;
        this.reader = reader;
        this.rowsAtOnce = MultiRowInsert.of(text);
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

    /** What the database behind a connection wants told differently; asked once, for all connections lead to one. */
    SqlDialect dialect(Connection connection) throws SQLException {
        SqlDialect known = dialect;
        if (known == null) {
            known = SqlDialect.of(connection);
            dialect = known;
        }
        return known;
    }

    /** How to insert many rows at once, if it is an insert and the database behind a connection is known to gain by it. */
    @Nullable
    MultiRowInsert rowsAtOnce(Connection connection) throws SQLException {
        return leavesRowsOut || dialect(connection) != SqlDialect.POSTGRESQL ? null : rowsAtOnce;
    }

    /** Some rows were left out of many, and nobody can tell whose: from now on each is asked by itself. */
    void leavesRowsOut() {
        leavesRowsOut = true;
    }

    /** A pooler in front of the database allows no transaction of several statements: from now on each runs by itself. */
    void allowsNoTransactions() {
        alone = true;
    }

    /** Whether each request has to run by itself. */
    boolean runsAlone() {
        return alone;
    }

    /** Fails a request that lacks a parameter, before anything is sent. */
    void check(JdbcRequest request) throws Failed {
        for (String name : text.names()) {
            if (!request.has(name)) {
                throw new Failed(
                        Failed.Cause.REFUSED,
                        "there is no parameter " + name + ", so nothing was sent: give it, or null");
            }
        }
    }

    /** Runs it for one request, in a transaction of its own. */
    JdbcAnswer run(Connection connection, CallTimeouts.Call watch, JdbcRequest request) throws Unanswered, SQLException {
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
        try (PreparedStatement statement = connection.prepareStatement(text.sql())) {
            statement.setMaxRows(reader.maxRows() + 1);
            dialect(connection).bind(statement, text.names(), request);
            watch.runs(statement);
            return execute(connection, statement, watch, reading || request.isReadOnly());
        }
    }

    private JdbcAnswer execute(Connection connection, PreparedStatement statement, CallTimeouts.Call watch, boolean reads)
            throws Unanswered {
        boolean hasRows;
        try {
            hasRows = statement.execute();
            if (!reads) {
                PostgresDriver.checkCommitted(connection, statement.getWarnings());
            }
        } catch (SQLException error) {
            throw SqlFault.of(error).ending(reads ? SqlFault.Phase.OPEN : SqlFault.Phase.KEEPING, watch.isLate());
        }
        try {
            if (!hasRows) {
                return new JdbcAnswer.Updated(Math.max(0, statement.getUpdateCount()));
            }
            try (ResultSet results = statement.getResultSet()) {
                return reader.read(results);
            }
        } catch (SQLException unreadable) {
            throw unreadable(SqlFault.of(unreadable), watch, reads);
        } catch (RowReader.TooMuch large) {
            throw tooMuch(large, reads);
        }
    }

    /** By then the statement has committed, so even an error that reads as a refusal does not mean that it was undone. */
    private static Unanswered unreadable(SqlFault fault, CallTimeouts.Call watch, boolean reads) {
        return reads
                ? fault.ending(SqlFault.Phase.OPEN, watch.isLate())
                : new Unknown(
                        Unknown.Cause.GARBLED,
                        "it was carried out, but its answer cannot be read: " + fault.words(),
                        fault.error());
    }

    private static Unanswered tooMuch(RowReader.TooMuch large, boolean reads) {
        return reads
                ? new Failed(Failed.Cause.REFUSED, "the answer has " + large.getMessage(), large)
                : new Unknown(Unknown.Cause.GARBLED, "it took effect, but its answer has " + large.getMessage(), large);
    }
}
