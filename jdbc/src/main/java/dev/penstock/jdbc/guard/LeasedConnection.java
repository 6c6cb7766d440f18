package dev.penstock.jdbc.guard;

import com.zaxxer.hikari.pool.HikariPool;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The connection that a caller borrows: forwards to HikariCP's, and notifies the {@link PooledConnection} when the
 * caller is done.
 */
final class LeasedConnection extends ForwardingConnection {
    private final PoolContext context;
    private final HikariPool pool;
    private final Connection pooled;
    private final PooledConnection slot;
    private final long since;
    private final LeakDetector.@Nullable Loan loan;
    private boolean used;
    private boolean released;

    LeasedConnection(PoolContext context, HikariPool pool, Connection pooled, PooledConnection slot) {
        this.context = context;
        this.pool = pool;
        this.pooled = pooled;
        this.slot = slot;
        this.since = context.now();
        this.loan = context.leaks().borrowed(since);
    }

    @Override
    Connection delegate() {
        return pooled;
    }

    @Override
    public void close() throws SQLException {
        release();
        pooled.close();
    }

    /** Closes the connection for good, immediately, from any thread. */
    @Override
    public void abort(Executor executor) throws SQLException {
        endLoan();
        slot.abort(executor);
        pool.evictConnection(pooled);
    }

    private void release() {
        if (!released) {
            released = true;
            endLoan();
            slot.release(used);
            context.released(since);
        }
    }

    private void endLoan() {
        if (loan != null) {
            loan.returned(context.now());
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
