package dev.penstock.jdbc;

import dev.penstock.BatchEndings;
import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.jdbc.postgres.PostgresDriver;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Executes many requests in one batch and one commit, on one connection.
 *
 * <h2>Design note</h2>
 *
 * <p>All requests are executed together first. If the database refuses one, the batch is rolled back and its halves are
 * executed one after the other, each behind a savepoint, and so on until each refused request has been isolated; then
 * the others are committed by one commit. A deferred constraint fails only at the commit and rolls everything back:
 * then the halves run in transactions of their own. Requests keep their order in every case.
 *
 * <p>What was sent but not committed is known to be rolled back when the connection is lost. Only a connection lost
 * between a commit and its answer leaves the outcome unknown.
 *
 * <p>For a single use by one thread.
 */
final class GroupCommit {
    /** The maximum size of what is sent at once, in bytes: more brings no further gain, and databases bound it. */
    private static final long PIECE_BYTES = 8 << 20;

    private final NamedStatement statement;
    private final Connection connection;
    private final CallTimeouts.Call timeout;
    private final List<JdbcRequest> requests;
    private final BatchEndings.Builder<JdbcAnswer> endings;
    private final long[] counts;
    private final boolean[] ended;
    private final long[] sizes;

    GroupCommit(
            NamedStatement statement, Connection connection, CallTimeouts.Call timeout, List<JdbcRequest> requests) {
        this.statement = statement;
        this.connection = connection;
        this.timeout = timeout;
        this.requests = requests;
        this.endings = BatchEndings.ofSize(requests.size());
        this.counts = new long[requests.size()];
        this.ended = new boolean[requests.size()];
        this.sizes = new long[requests.size()];
    }

    BatchEndings<JdbcAnswer> run() {
        try {
            connection.setAutoCommit(false);
            transaction(checked());
        } catch (SQLException lost) {
            if (PostgresDriver.allowsNoTransactions(lost)) {
                statement.disableTransactions();
            }
            statement.forgetDialect();
            endAll(all(), SqlFault.of(lost).ofTransaction(), SqlFault.Phase.OPEN);
        }
        return endings.build();
    }

    private List<Integer> all() {
        return IntStream.range(0, requests.size()).boxed().toList();
    }

    /** The requests that can be sent. */
    private List<Integer> checked() throws SQLException {
        List<Integer> indexes = new ArrayList<>(requests.size());
        for (int index = 0; index < requests.size(); index++) {
            JdbcRequest request = requests.get(index);
            try {
                statement.check(request);
                sizes[index] = statement.check(connection, request);
                indexes.add(index);
            } catch (Failed refused) {
                end(index, refused);
            }
        }
        return indexes;
    }

    /**
     * Executes requests in a transaction of their own, while no other is open. Throws when the connection is lost or
     * the time is up.
     */
    private void transaction(List<Integer> indexes) throws SQLException {
        if (indexes.isEmpty()) {
            return;
        }
        try {
            execute(indexes);
        } catch (SQLException error) {
            if (mustStop(error)) {
                // A lost connection cannot roll back, and the error of the rollback would hide this one.
                JdbcSession.quietly(connection::rollback);
                throw error;
            }
            connection.rollback();
            if (indexes.size() == 1) {
                end(indexes.getFirst(), SqlFault.of(error).ending(SqlFault.Phase.OPEN, false));
                return;
            }
            commit(executeHalves(indexes));
            return;
        }
        commit(indexes);
    }

    /** Whether to give up: the connection is lost, or the time is up. */
    private boolean mustStop(SQLException error) {
        return timeout.isTimedOut() || !SqlFault.of(error).isConnectionUsable();
    }

    /** Executes both halves within the open transaction, and returns the requests that succeeded. */
    private List<Integer> executeHalves(List<Integer> indexes) throws SQLException {
        int half = indexes.size() / 2;
        List<Integer> succeeded = new ArrayList<>(executeOrSplit(indexes.subList(0, half)));
        succeeded.addAll(executeOrSplit(indexes.subList(half, indexes.size())));
        return succeeded;
    }

    private List<Integer> executeOrSplit(List<Integer> indexes) throws SQLException {
        timeout.executing(null);
        Savepoint before = connection.setSavepoint();
        try {
            execute(indexes);
            return indexes;
        } catch (SQLException error) {
            if (mustStop(error)) {
                throw error;
            }
            connection.rollback(before);
            if (indexes.size() == 1) {
                end(indexes.getFirst(), SqlFault.of(error).ending(SqlFault.Phase.OPEN, false));
                return List.of();
            }
        }
        return executeHalves(indexes);
    }

    private void execute(List<Integer> indexes) throws SQLException {
        int to;
        for (int from = 0; from < indexes.size(); from = to) {
            to = pieceEnd(indexes, from);
            executePiece(indexes.subList(from, to));
        }
    }

    /** The end of the requests that are sent at once. */
    private int pieceEnd(List<Integer> indexes, int from) throws SQLException {
        long left = Math.min(PIECE_BYTES, statement.dialect(connection).maxPacket());
        int to = from;
        do {
            left -= sizes[indexes.get(to++)];
        } while (to < indexes.size() && sizes[indexes.get(to)] <= left);
        return to;
    }

    private void executePiece(List<Integer> indexes) throws SQLException {
        PreparedStatement prepared =
                connection.prepareStatement(statement.text().sql());
        try {
            SqlDialect dialect = statement.dialect(connection);
            for (int index : indexes) {
                dialect.bind(prepared, statement.text().names(), requests.get(index));
                prepared.addBatch();
            }
            timeout.executing(prepared);
            int[] updated = prepared.executeBatch();
            for (int i = 0; i < updated.length; i++) {
                counts[indexes.get(i)] =
                        updated[i] == Statement.SUCCESS_NO_INFO ? JdbcAnswer.Updated.NOT_REPORTED : updated[i];
            }
        } catch (BatchUpdateException wrapped) {
            // The database's own error tells more: who raised it, and which one.
            throw wrapped.getCause() instanceof SQLException error ? error : wrapped;
        } finally {
            timeout.finishedExecuting();
            NamedStatement.close(prepared, timeout);
        }
    }

    private void commit(List<Integer> indexes) throws SQLException {
        if (indexes.isEmpty()) {
            connection.rollback();
            return;
        }
        try {
            timeout.executing(null);
            PostgresDriver.commit(connection);
        } catch (SQLException error) {
            SqlFault fault = SqlFault.of(error);
            if (!fault.isUndone(SqlFault.Phase.COMMITTING)) {
                endAll(indexes, fault, SqlFault.Phase.COMMITTING);
                return;
            }
            if (mustStop(error)) {
                JdbcSession.quietly(connection::rollback);
                endAll(indexes, fault.ofTransaction(), SqlFault.Phase.OPEN);
                return;
            }
            connection.rollback();
            if (indexes.size() == 1) {
                endAll(indexes, fault, SqlFault.Phase.OPEN);
                return;
            }
            int half = indexes.size() / 2;
            transaction(indexes.subList(0, half));
            transaction(indexes.subList(half, indexes.size()));
            return;
        }
        for (int index : indexes) {
            endings.answered(index, new JdbcAnswer.Updated(counts[index]));
            ended[index] = true;
        }
    }

    private void end(int index, Unanswered ending) {
        endings.ended(index, ending);
        ended[index] = true;
    }

    /** Ends all requests that have no ending yet. */
    private void endAll(List<Integer> indexes, SqlFault fault, SqlFault.Phase phase) {
        if (!fault.isConnectionUsable()) {
            timeout.markUnusable(fault.error());
        }
        Unanswered ending = fault.ending(phase, timeout.isTimedOut());
        for (int index : indexes) {
            if (!ended[index]) {
                end(index, ending);
            }
        }
    }
}
