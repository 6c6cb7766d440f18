package dev.penstock.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A database with one column of numbers, which can refuse numbers and lose its connection. */
final class FaultyDatabase {
    private final Set<Long> refused;
    private final Set<Long> refusedByCommit;
    private final int lostAt;
    private final boolean keepsWhenLost;
    private final List<Long> kept = new ArrayList<>();
    private final List<Long> open = new ArrayList<>();
    private final Map<Savepoint, Integer> savepoints = new HashMap<>();
    private int round;
    private boolean lost;
    private boolean lostAtCommit;

    /**
     * A database.
     *
     * @param refused numbers that an insert refuses
     * @param refusedByCommit numbers that only the commit refuses
     * @param lostAt the round trip that finds the connection lost, from 1; 0 for none
     * @param keepsWhenLost whether a commit that is lost has taken effect
     */
    FaultyDatabase(Set<Long> refused, Set<Long> refusedByCommit, int lostAt, boolean keepsWhenLost) {
        this.refused = refused;
        this.refusedByCommit = refusedByCommit;
        this.lostAt = lostAt;
        this.keepsWhenLost = keepsWhenLost;
    }

    List<Long> kept() {
        return kept;
    }

    boolean isLost() {
        return lost;
    }

    boolean isLostAtCommit() {
        return lostAtCommit;
    }

    Connection connection() {
        return proxy(Connection.class, (self, method, args) -> switch (method.getName()) {
            case "isWrapperFor" -> false;
            case "getAutoCommit" -> true;
            case "setAutoCommit", "close" -> null;
            case "getMetaData" -> proxy(DatabaseMetaData.class, (_, _, _) -> "a faulty one");
            case "prepareStatement" -> statement();
            case "setSavepoint" -> savepoint();
            case "rollback" -> rollback(args == null ? null : (Savepoint) args[0]);
            case "commit" -> commit();
            default -> throw new UnsupportedOperationException(method.toString());
        });
    }

    private PreparedStatement statement() {
        List<Long> batch = new ArrayList<>();
        long[] next = new long[1];
        return proxy(PreparedStatement.class, (self, method, args) -> switch (method.getName()) {
            case "setLong" -> next[0] = (Long) args[1];
            case "addBatch" -> batch.add(next[0]) ? null : null;
            case "executeBatch" -> execute(batch);
            case "close" -> null;
            default -> throw new UnsupportedOperationException(method.toString());
        });
    }

    private int[] execute(List<Long> batch) throws SQLException {
        roundTrip();
        for (long id : batch) {
            if (refused.contains(id)) {
                throw new BatchUpdateException("no " + id, "23505", new int[0]);
            }
            open.add(id);
        }
        int[] counts = new int[batch.size()];
        Arrays.fill(counts, 1);
        return counts;
    }

    private Object savepoint() throws SQLException {
        roundTrip();
        Savepoint savepoint = proxy(Savepoint.class, (self, method, args) -> switch (method.getName()) {
            case "hashCode" -> System.identityHashCode(self);
            default -> self == args[0];
        });
        savepoints.put(savepoint, open.size());
        return savepoint;
    }

    private Object rollback(@org.jspecify.annotations.Nullable Savepoint to) throws SQLException {
        roundTrip();
        int size = to == null ? 0 : savepoints.getOrDefault(to, 0);
        open.subList(size, open.size()).clear();
        return this;
    }

    private Object commit() throws SQLException {
        try {
            roundTrip();
        } catch (SQLException gone) {
            if (!lostAtCommit && round == lostAt) {
                lostAtCommit = true;
                if (keepsWhenLost && open.stream().noneMatch(refusedByCommit::contains)) {
                    kept.addAll(open);
                }
            }
            throw gone;
        }
        boolean good = open.stream().noneMatch(refusedByCommit::contains);
        if (good) {
            kept.addAll(open);
        }
        open.clear();
        if (!good) {
            throw new SQLException("not at the commit", "23503");
        }
        return this;
    }

    private void roundTrip() throws SQLException {
        round++;
        if (lost || round == lostAt) {
            lost = true;
            throw new SQLException("gone", "08006");
        }
    }

    private static <T> T proxy(Class<T> kind, InvocationHandler handler) {
        return kind.cast(Proxy.newProxyInstance(kind.getClassLoader(), new Class<?>[] {kind}, handler));
    }
}
