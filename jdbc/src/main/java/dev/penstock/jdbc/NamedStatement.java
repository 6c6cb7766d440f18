package dev.penstock.jdbc;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
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
    private final @Nullable RowsAtOnce rowsAtOnce;
    private volatile @Nullable Dialect dialect;
    private volatile boolean leavesRowsOut;

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
        this.rowsAtOnce = RowsAtOnce.of(text);
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
    Dialect dialect(Connection connection) throws SQLException {
        Dialect known = dialect;
        if (known == null) {
            known = Dialect.of(connection);
            dialect = known;
        }
        return known;
    }

    /** How to insert many rows at once, if it is an insert and the database behind a connection is known to gain by it. */
    @Nullable
    RowsAtOnce rowsAtOnce(Connection connection) throws SQLException {
        return leavesRowsOut || dialect(connection) != Dialect.POSTGRESQL ? null : rowsAtOnce;
    }

    /** Some rows were left out of many, and nobody can tell whose: from now on each is asked by itself. */
    void leavesRowsOut() {
        leavesRowsOut = true;
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
    JdbcAnswer run(Connection connection, Watch.Call watch, JdbcRequest request) throws Unanswered, SQLException {
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
        try (PreparedStatement statement = connection.prepareStatement(text.sql())) {
            statement.setMaxRows(reader.maxRows() + 1);
            dialect(connection).bind(statement, text.names(), request);
            watch.runs(statement);
            return execute(statement, watch, reading || request.isReadOnly());
        }
    }

    private JdbcAnswer execute(PreparedStatement statement, Watch.Call watch, boolean reads) throws Unanswered {
        try {
            if (!statement.execute()) {
                return new JdbcAnswer.Updated(Math.max(0, statement.getUpdateCount()));
            }
            try (ResultSet results = statement.getResultSet()) {
                return reader.read(results);
            }
        } catch (SQLException error) {
            throw SqlFault.of(error).ending(reads ? SqlFault.Phase.OPEN : SqlFault.Phase.KEEPING, watch.isLate());
        } catch (RowReader.TooMuch large) {
            throw tooMuch(large, reads);
        }
    }

    private static Unanswered tooMuch(RowReader.TooMuch large, boolean reads) {
        return reads
                ? new Failed(Failed.Cause.REFUSED, "the answer has " + large.getMessage(), large)
                : new Unknown(Unknown.Cause.GARBLED, "it took effect, but its answer has " + large.getMessage(), large);
    }
}
