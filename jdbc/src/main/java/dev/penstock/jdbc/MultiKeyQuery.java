package dev.penstock.jdbc;

import dev.penstock.BatchEndings;
import dev.penstock.Failed;
import dev.penstock.Unanswered;
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
 * Queries many keys with one statement on one connection, and assigns the rows to the requests by key.
 *
 * <p>When a row has a key in another notation than requested (another case, a trailing blank), it cannot be assigned to
 * a request; then each request without a row is executed separately. So is a request whose key is null. A query that
 * the database refuses is repeated in halves until the refused key has been isolated.
 *
 * <p>For a single use by one thread.
 */
final class MultiKeyQuery {
    private static final int MAX_BITS = 4_096;

    /** Databases bound the number of values in a list; Oracle allows 1,000. */
    private static final int MAX_KEYS = 512;

    private final NamedStatement statement;
    private final String parameter;
    private final String column;
    private final Connection connection;
    private final CallTimeouts.Call timeout;
    private final List<JdbcRequest> requests;
    private final BatchEndings.Builder<JdbcAnswer> endings;

    MultiKeyQuery(
            NamedStatement statement,
            String column,
            Connection connection,
            CallTimeouts.Call timeout,
            List<JdbcRequest> requests) {
        this.statement = statement;
        this.parameter = statement.text().names().getFirst();
        this.column = column;
        this.connection = connection;
        this.timeout = timeout;
        this.requests = requests;
        this.endings = BatchEndings.ofSize(requests.size());
    }

    BatchEndings<JdbcAnswer> run() throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
        List<Integer> indexes = new ArrayList<>();
        for (int index = 0; index < requests.size(); index++) {
            if (requests.get(index).value(parameter) == null) {
                executeAlone(index);
            } else {
                indexes.add(index);
            }
        }
        executeTogether(indexes);
        return endings.build();
    }

    private void executeTogether(List<Integer> indexes) throws SQLException {
        if (indexes.size() < 2) {
            indexes.forEach(this::executeAlone);
            return;
        }
        if (indexes.size() > MAX_KEYS) {
            executeHalves(indexes);
            return;
        }
        try {
            assignRows(indexes, query(keys(indexes)));
        } catch (SQLException error) {
            SqlFault fault = SqlFault.of(error);
            if (timeout.isTimedOut() || fault.kind() != SqlFault.Kind.REFUSED) {
                timeout.markUnusable();
                Unanswered ending = fault.ending(SqlFault.Phase.OPEN, timeout.isTimedOut());
                indexes.forEach(index -> endings.ended(index, ending));
                return;
            }
            executeHalves(indexes);
        } catch (RowReader.ResultTooLarge _) {
            executeHalves(indexes);
        }
    }

    private void executeHalves(List<Integer> indexes) throws SQLException {
        executeTogether(indexes.subList(0, indexes.size() / 2));
        executeTogether(indexes.subList(indexes.size() / 2, indexes.size()));
    }

    private Map<String, Object> keys(List<Integer> indexes) {
        Map<String, Object> keys = new LinkedHashMap<>();
        for (int index : indexes) {
            Object key = requests.get(index).value(parameter);
            if (key != null) {
                keys.putIfAbsent(normalized(key), key);
            }
        }
        return keys;
    }

    private JdbcAnswer.Rows query(Map<String, Object> keys) throws SQLException, RowReader.ResultTooLarge {
        SqlDialect dialect = statement.dialect(connection);
        List<Object> values = List.copyOf(keys.values());
        // Powers of two, so that few distinct statements are prepared.
        int size = Integer.highestOneBit(Math.max(1, 2 * values.size() - 1));
        try (PreparedStatement prepared =
                connection.prepareStatement(statement.text().sql(size))) {
            prepared.setMaxRows(statement.reader().maxRows() + 1);
            for (int index = 0; index < size; index++) {
                dialect.bind(prepared, index + 1, values.get(Math.min(index, values.size() - 1)));
            }
            timeout.executing(prepared);
            try (ResultSet results = prepared.executeQuery()) {
                return statement.reader().read(results);
            }
        } finally {
            timeout.finishedExecuting();
        }
    }

    private void assignRows(List<Integer> indexes, JdbcAnswer.Rows all) {
        int by = keyColumn(all);
        if (by < 0) {
            Failed missing = new Failed(
                    Failed.Cause.REFUSED,
                    "the result has no column " + column
                            + " to assign its rows by; add the column to the select list, or set another key column");
            indexes.forEach(index -> endings.ended(index, missing));
            return;
        }
        Map<String, List<List<@Nullable Object>>> byKey = new HashMap<>();
        for (List<@Nullable Object> row : all.rows()) {
            Object key = row.get(by);
            byKey.computeIfAbsent(key == null ? "" : normalized(key), _ -> new ArrayList<>())
                    .add(row);
        }
        boolean allKnown = keys(indexes).keySet().containsAll(byKey.keySet());
        for (int index : indexes) {
            List<List<@Nullable Object>> rows = byKey.get(normalized(requests.get(index)));
            if (rows == null && !allKnown) {
                executeAlone(index);
            } else {
                endings.answered(index, new JdbcAnswer.Rows(all.columns(), rows == null ? List.of() : rows));
            }
        }
    }

    private int keyColumn(JdbcAnswer.Rows all) {
        return IntStream.range(0, all.columns().size())
                .filter(index -> all.columns().get(index).equalsIgnoreCase(column))
                .findFirst()
                .orElse(-1);
    }

    private void executeAlone(int index) {
        try {
            statement.check(requests.get(index));
            endings.answered(index, statement.run(connection, timeout, requests.get(index)));
        } catch (Unanswered ending) {
            if (ending.getCause() instanceof SQLException error
                    && !SqlFault.of(error).isConnectionUsable()) {
                timeout.markUnusable();
            }
            endings.ended(index, ending);
        } catch (SQLException error) {
            timeout.markUnusable();
            endings.ended(index, SqlFault.of(error).ending(SqlFault.Phase.OPEN, timeout.isTimedOut()));
        }
    }

    private String normalized(JdbcRequest request) {
        Object key = request.value(parameter);
        return key == null ? "" : normalized(key);
    }

    /** Trailing zeros of a number do not make another key. For very long numbers it would take a minute to find them. */
    private static String normalized(Object key) {
        if (!(key instanceof Number)
                || (key instanceof BigDecimal number && number.unscaledValue().bitLength() > MAX_BITS)) {
            return key.toString();
        }
        try {
            return new BigDecimal(key.toString()).stripTrailingZeros().toString();
        } catch (NumberFormatException notOne) {
            return key.toString();
        }
    }
}
