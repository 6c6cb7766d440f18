package dev.penstock.jdbc.guard;

import com.zaxxer.hikari.pool.HikariPool;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A connection as a caller has it: HikariCP's, and it tells the {@link PooledConnection} when the caller is done with it. */
final class LeasedConnection extends ForwardingConnection {
    private final PoolContext guard;
    private final HikariPool pool;
    private final Connection pooled;
    private final PooledConnection slot;
    private final long since;
    private final LeakDetector.@Nullable Loan loan;
    private boolean used;
    private boolean given;

    LeasedConnection(PoolContext guard, HikariPool pool, Connection pooled, PooledConnection slot) {
        this.guard = guard;
        this.pool = pool;
        this.pooled = pooled;
        this.slot = slot;
        this.since = guard.now();
        this.loan = guard.leaks().lent(since);
    }

    @Override
    Connection to() {
        return pooled;
    }

    @Override
    public void close() throws SQLException {
        giveBack();
        pooled.close();
    }

    /** Ends the connection, from any thread and at once; nobody else gets it any more. */
    @Override
    public void abort(Executor executor) throws SQLException {
        isBack();
        slot.abort(executor);
        pool.evictConnection(pooled);
    }

    private void giveBack() {
        if (!given) {
            given = true;
            isBack();
            slot.giveBack(used);
            guard.givenBack(since);
        }
    }

    private void isBack() {
        if (loan != null) {
            loan.back(guard.now());
        }
    }

    @Override
    public Statement createStatement() throws SQLException {
        used = true;
        return pooled.createStatement();
    }

    @Override
    public Statement createStatement(int type, int concurrency) throws SQLException {
        used = true;
        return pooled.createStatement(type, concurrency);
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
        used = true;
        return pooled.createStatement(type, concurrency, holdability);
    }

    @Override
    public PreparedStatement prepareStatement(String sql) throws SQLException {
        used = true;
        return pooled.prepareStatement(sql);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int generatedKeys) throws SQLException {
        used = true;
        return pooled.prepareStatement(sql, generatedKeys);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int[] columns) throws SQLException {
        used = true;
        return pooled.prepareStatement(sql, columns);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, String[] columns) throws SQLException {
        used = true;
        return pooled.prepareStatement(sql, columns);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency) throws SQLException {
        used = true;
        return pooled.prepareStatement(sql, type, concurrency);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        used = true;
        return pooled.prepareStatement(sql, type, concurrency, holdability);
    }

    @Override
    public CallableStatement prepareCall(String sql) throws SQLException {
        used = true;
        return pooled.prepareCall(sql);
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
        used = true;
        return pooled.prepareCall(sql, type, concurrency);
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability) throws SQLException {
        used = true;
        return pooled.prepareCall(sql, type, concurrency, holdability);
    }
}
