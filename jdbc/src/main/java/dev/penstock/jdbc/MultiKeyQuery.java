package dev.penstock.jdbc;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.collapse.BatchEndings;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Asks for many keys by one query on one connection, and gives the rows back by their key.
 *
 * <p>When the database finds a row for a key that it writes in another way (another case, a blank at the end), nobody can tell
 * whose it is; then every request without a row is asked for by itself. So is a key that is null. A query that fails is asked
 * in halves, until the key to blame is alone.
 *
 * <p>For one thread, once.
 */
final class MultiKeyQuery {
    private final NamedStatement statement;
    private final LookupSql lookup;
    private final String column;
    private final Connection connection;
    private final CallTimeouts.Call watch;
    private final List<JdbcRequest> requests;
    private final BatchEndings.Builder<JdbcAnswer> endings;

    MultiKeyQuery(
            NamedStatement statement,
            LookupSql lookup,
            String column,
            Connection connection,
            CallTimeouts.Call watch,
            List<JdbcRequest> requests) {
        this.statement = statement;
        this.lookup = lookup;
        this.column = column;
        this.connection = connection;
        this.watch = watch;
        this.requests = requests;
        this.endings = BatchEndings.ofSize(requests.size());
    }

    BatchEndings<JdbcAnswer> run() throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
        List<Integer> places = new ArrayList<>();
        for (int place = 0; place < requests.size(); place++) {
            if (requests.get(place).value(lookup.parameter()) == null) {
                alone(place);
            } else {
                places.add(place);
            }
        }
        ask(places);
        return endings.build();
    }

    private void ask(List<Integer> places) throws SQLException {
        if (places.size() < 2) {
            places.forEach(this::alone);
            return;
        }
        try {
            giveBack(places, query(keys(places)));
        } catch (SQLException error) {
            SqlFault fault = SqlFault.of(error);
            if (watch.isLate() || fault.kind() != SqlFault.Kind.REFUSED) {
                watch.spoil();
                Unanswered ending = fault.ending(SqlFault.Phase.OPEN, watch.isLate());
                places.forEach(place -> endings.ended(place, ending));
                return;
            }
            halves(places);
        } catch (RowReader.TooMuch _) {
            halves(places);
        }
    }

    private void halves(List<Integer> places) throws SQLException {
        ask(places.subList(0, places.size() / 2));
        ask(places.subList(places.size() / 2, places.size()));
    }

    private Map<String, Object> keys(List<Integer> places) {
        Map<String, Object> keys = new LinkedHashMap<>();
        for (int place : places) {
            Object key = requests.get(place).value(lookup.parameter());
            if (key != null) {
                keys.putIfAbsent(written(key), key);
            }
        }
        return keys;
    }

    private JdbcAnswer.Rows query(Map<String, Object> keys) throws SQLException, RowReader.TooMuch {
        SqlDialect dialect = statement.dialect(connection);
        List<Object> values = List.copyOf(keys.values());
        boolean array = dialect == SqlDialect.POSTGRESQL;
        // Few sizes of lists, so that the driver and the database know the statement already.
        int size = Integer.highestOneBit(Math.max(1, 2 * values.size() - 1));
        try (PreparedStatement prepared = connection.prepareStatement(array ? lookup.any() : lookup.in(size))) {
            prepared.setMaxRows(statement.reader().maxRows() + 1);
            if (array) {
                dialect.bind(prepared, 1, LookupSql.array(values));
            } else {
                for (int place = 0; place < size; place++) {
                    dialect.bind(prepared, place + 1, values.get(Math.min(place, values.size() - 1)));
                }
            }
            watch.runs(prepared);
            try (ResultSet results = prepared.executeQuery()) {
                return statement.reader().read(results);
            }
        } finally {
            watch.runsNothing();
        }
    }

    private void giveBack(List<Integer> places, JdbcAnswer.Rows all) {
        int by = keyColumn(all);
        if (by < 0) {
            Failed missing = new Failed(
                    Failed.Cause.REFUSED,
                    "the answer has no column " + column + " to tell rows apart by: select it too, or name another");
            places.forEach(place -> endings.ended(place, missing));
            return;
        }
        Map<String, List<List<@Nullable Object>>> byKey = new HashMap<>();
        for (List<@Nullable Object> row : all.rows()) {
            Object key = row.get(by);
            byKey.computeIfAbsent(key == null ? "" : written(key), _ -> new ArrayList<>())
                    .add(row);
        }
        boolean allKnown = keys(places).keySet().containsAll(byKey.keySet());
        for (int place : places) {
            List<List<@Nullable Object>> rows = byKey.get(written(requests.get(place)));
            if (rows == null && !allKnown) {
                alone(place);
            } else {
                endings.answered(place, new JdbcAnswer.Rows(all.columns(), rows == null ? List.of() : rows));
            }
        }
    }

    private int keyColumn(JdbcAnswer.Rows all) {
        return IntStream.range(0, all.columns().size())
                .filter(place -> all.columns().get(place).equalsIgnoreCase(column))
                .findFirst()
                .orElse(-1);
    }

    private void alone(int place) {
        try {
            statement.check(requests.get(place));
            endings.answered(place, statement.run(connection, watch, requests.get(place)));
        } catch (Unanswered ending) {
            if (ending.getCause() instanceof SQLException error
                    && !SqlFault.of(error).leavesConnection()) {
                watch.spoil();
            }
            endings.ended(place, ending);
        } catch (SQLException error) {
            watch.spoil();
            endings.ended(place, SqlFault.of(error).ending(SqlFault.Phase.OPEN, watch.isLate()));
        }
    }

    private String written(JdbcRequest request) {
        Object key = request.value(lookup.parameter());
        return key == null ? "" : written(key);
    }

    /** One number is one key, however many zeros it is written with. */
    private static String written(Object key) {
        if (!(key instanceof Number)) {
            return key.toString();
        }
        try {
            return new BigDecimal(key.toString()).stripTrailingZeros().toString();
        } catch (NumberFormatException notOne) {
            return key.toString();
        }
    }
}
