package dev.penstock.jdbc;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.collapse.BatchEndings;
import dev.penstock.jdbc.postgres.PostgresDriver;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Many requests in one batch and one commit, on one connection.
 *
 * <h2>Design note</h2>
 *
 * <p>All go at once, in the hope that none is refused. If one is, nothing of it is kept, and the halves go one after the
 * other, each behind a savepoint, until those to blame are alone; then the rest is kept by one commit. A constraint that is
 * looked at only by the commit undoes all: then the halves are transactions of their own. Requests keep their order in any
 * case.
 *
 * <p>What was sent and not yet committed is known to be undone when the connection ends, so only the time between a commit
 * and its answer leaves a doubt.
 *
 * <p>For one thread, once.
 */
final class GroupCommit {
    /** Not a database's state: a batch that has it is undone like one that was refused, and taken apart. */
    private static final String LEFT_OUT = "0P999";

    private final NamedStatement statement;
    private final Connection connection;
    private final CallTimeouts.Call watch;
    private final List<JdbcRequest> requests;
    private final BatchEndings.Builder<JdbcAnswer> endings;
    private final long[] counts;
    private final boolean[] ended;

    GroupCommit(NamedStatement statement, Connection connection, CallTimeouts.Call watch, List<JdbcRequest> requests) {
        this.statement = statement;
        this.connection = connection;
        this.watch = watch;
        this.requests = requests;
        this.endings = BatchEndings.ofSize(requests.size());
        this.counts = new long[requests.size()];
        this.ended = new boolean[requests.size()];
    }

    BatchEndings<JdbcAnswer> run() {
        List<Integer> places = new ArrayList<>();
        for (int place = 0; place < requests.size(); place++) {
            try {
                statement.check(requests.get(place));
                places.add(place);
            } catch (Failed incomplete) {
                end(place, incomplete);
            }
        }
        try {
            connection.setAutoCommit(false);
            transaction(places);
        } catch (SQLException lost) {
            if (PostgresDriver.allowsNoTransactions(lost)) {
                statement.allowsNoTransactions();
            }
            endAll(places, SqlFault.of(lost), SqlFault.Phase.OPEN);
        }
        return endings.build();
    }

    /** Carries requests by a transaction of their own; nothing else is open. Throws when the connection is lost. */
    private void transaction(List<Integer> places) throws SQLException {
        if (places.isEmpty()) {
            return;
        }
        try {
            execute(places);
        } catch (SQLException error) {
            if (isOver(error)) {
                // A lost connection cannot roll back, and that error would hide this one.
                JdbcSession.quietly(connection::rollback);
                throw error;
            }
            connection.rollback();
            if (places.size() == 1) {
                end(places.getFirst(), SqlFault.of(error).ending(SqlFault.Phase.OPEN, false));
                return;
            }
            commit(apart(places));
            return;
        }
        commit(places);
    }

    /** Whether there is no use in going on: the connection is lost, or the time is up. */
    private boolean isOver(SQLException error) {
        return watch.isLate() || !SqlFault.of(error).leavesConnection();
    }

    /** Runs both halves within the open transaction; tells which of them did well. */
    private List<Integer> apart(List<Integer> places) throws SQLException {
        int half = places.size() / 2;
        List<Integer> good = new ArrayList<>(part(places.subList(0, half)));
        good.addAll(part(places.subList(half, places.size())));
        return good;
    }

    private List<Integer> part(List<Integer> places) throws SQLException {
        watch.runs(null);
        Savepoint before = connection.setSavepoint();
        try {
            execute(places);
            return places;
        } catch (SQLException error) {
            if (isOver(error)) {
                throw error;
            }
            connection.rollback(before);
            if (places.size() == 1) {
                end(places.getFirst(), SqlFault.of(error).ending(SqlFault.Phase.OPEN, false));
                return List.of();
            }
        }
        return apart(places);
    }

    private void execute(List<Integer> places) throws SQLException {
        MultiRowInsert rows = places.size() == 1 ? null : statement.rowsAtOnce(connection);
        if (rows == null) {
            executeEach(places);
            return;
        }
        for (int from = 0; from < places.size(); from += rows.most()) {
            executeAtOnce(places.subList(from, Math.min(places.size(), from + rows.most())), rows);
        }
    }

    private void executeAtOnce(List<Integer> places, MultiRowInsert rows) throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(rows.sql(places.size()))) {
            SqlDialect dialect = statement.dialect(connection);
            for (int i = 0; i < places.size(); i++) {
                dialect.bind(prepared, i * rows.parameters(), statement.text().names(), requests.get(places.get(i)));
            }
            watch.runs(prepared);
            if (prepared.executeUpdate() != places.size()) {
                statement.leavesRowsOut();
                throw new SQLException("the database left rows out, so each is asked by itself", LEFT_OUT);
            }
            places.forEach(place -> counts[place] = 1);
        } finally {
            watch.runsNothing();
        }
    }

    private void executeEach(List<Integer> places) throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement(statement.text().sql())) {
            SqlDialect dialect = statement.dialect(connection);
            for (int place : places) {
                dialect.bind(prepared, statement.text().names(), requests.get(place));
                prepared.addBatch();
            }
            watch.runs(prepared);
            int[] updated = prepared.executeBatch();
            for (int i = 0; i < updated.length; i++) {
                counts[places.get(i)] = count(updated[i]);
            }
        } finally {
            watch.runsNothing();
        }
    }

    /** A driver that writes many inserts as one does not tell of each; without "on conflict" each is one row. */
    private long count(int updated) throws SQLException {
        if (updated != Statement.SUCCESS_NO_INFO) {
            return updated;
        }
        List<String> words = statement.text().words();
        if (words.getFirst().equals("insert") && !words.contains("conflict") && !words.contains("select")) {
            return 1;
        }
        throw new SQLException(
                "the driver does not tell how many rows each took: turn reWriteBatchedInserts off", "0A000");
    }

    private void commit(List<Integer> places) throws SQLException {
        if (places.isEmpty()) {
            connection.rollback();
            return;
        }
        try {
            watch.runs(null);
            PostgresDriver.commit(connection);
        } catch (SQLException error) {
            SqlFault fault = SqlFault.of(error);
            if (!fault.isUndone(SqlFault.Phase.KEEPING)) {
                endAll(places, fault, SqlFault.Phase.KEEPING);
                return;
            }
            if (isOver(error)) {
                JdbcSession.quietly(connection::rollback);
                endAll(places, fault, SqlFault.Phase.OPEN);
                return;
            }
            connection.rollback();
            if (places.size() == 1) {
                endAll(places, fault, SqlFault.Phase.OPEN);
                return;
            }
            int half = places.size() / 2;
            transaction(places.subList(0, half));
            transaction(places.subList(half, places.size()));
            return;
        }
        for (int place : places) {
            endings.answered(place, new JdbcAnswer.Updated(counts[place]));
            ended[place] = true;
        }
    }

    private void end(int place, Unanswered ending) {
        endings.ended(place, ending);
        ended[place] = true;
    }

    /** Ends all that have not ended yet. */
    private void endAll(List<Integer> places, SqlFault fault, SqlFault.Phase phase) {
        if (!fault.leavesConnection()) {
            watch.spoil(fault.error());
        }
        Unanswered ending = fault.ending(phase, watch.isLate());
        for (int place : places) {
            if (!ended[place]) {
                end(place, ending);
            }
        }
    }
}
