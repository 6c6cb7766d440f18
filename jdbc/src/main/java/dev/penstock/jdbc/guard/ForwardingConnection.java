package dev.penstock.jdbc.guard;

import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.ShardingKey;
import java.sql.Statement;
import java.sql.Struct;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.NullUnmarked;

/** A connection that forwards every call to another. Not null-marked, like the JDBC interfaces. */
@NullUnmarked
abstract class ForwardingConnection implements Connection {
    /** The connection that calls are forwarded to. */
    abstract Connection delegate();

    @Override
    public Statement createStatement() throws SQLException {
        return delegate().createStatement();
    }

    @Override
    public PreparedStatement prepareStatement(String text) throws SQLException {
        return delegate().prepareStatement(text);
    }

    @Override
    public CallableStatement prepareCall(String text) throws SQLException {
        return delegate().prepareCall(text);
    }

    @Override
    public String nativeSQL(String text) throws SQLException {
        return delegate().nativeSQL(text);
    }

    @Override
    public void setAutoCommit(boolean on) throws SQLException {
        delegate().setAutoCommit(on);
    }

    @Override
    public boolean getAutoCommit() throws SQLException {
        return delegate().getAutoCommit();
    }

    @Override
    public void commit() throws SQLException {
        delegate().commit();
    }

    @Override
    public void rollback() throws SQLException {
        delegate().rollback();
    }

    @Override
    public void close() throws SQLException {
        delegate().close();
    }

    @Override
    public boolean isClosed() throws SQLException {
        return delegate().isClosed();
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        return delegate().getMetaData();
    }

    @Override
    public void setReadOnly(boolean on) throws SQLException {
        delegate().setReadOnly(on);
    }

    @Override
    public boolean isReadOnly() throws SQLException {
        return delegate().isReadOnly();
    }

    @Override
    public void setCatalog(String text) throws SQLException {
        delegate().setCatalog(text);
    }

    @Override
    public String getCatalog() throws SQLException {
        return delegate().getCatalog();
    }

    @Override
    public void setTransactionIsolation(int number) throws SQLException {
        delegate().setTransactionIsolation(number);
    }

    @Override
    public int getTransactionIsolation() throws SQLException {
        return delegate().getTransactionIsolation();
    }

    @Override
    public SQLWarning getWarnings() throws SQLException {
        return delegate().getWarnings();
    }

    @Override
    public void clearWarnings() throws SQLException {
        delegate().clearWarnings();
    }

    @Override
    public Statement createStatement(int number, int number2) throws SQLException {
        return delegate().createStatement(number, number2);
    }

    @Override
    public PreparedStatement prepareStatement(String text, int number, int number2) throws SQLException {
        return delegate().prepareStatement(text, number, number2);
    }

    @Override
    public CallableStatement prepareCall(String text, int number, int number2) throws SQLException {
        return delegate().prepareCall(text, number, number2);
    }

    @Override
    public Map<String, Class<?>> getTypeMap() throws SQLException {
        return delegate().getTypeMap();
    }

    @Override
    public void setTypeMap(Map<String, Class<?>> value) throws SQLException {
        delegate().setTypeMap(value);
    }

    @Override
    public void setHoldability(int number) throws SQLException {
        delegate().setHoldability(number);
    }

    @Override
    public int getHoldability() throws SQLException {
        return delegate().getHoldability();
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        return delegate().setSavepoint();
    }

    @Override
    public Savepoint setSavepoint(String text) throws SQLException {
        return delegate().setSavepoint(text);
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        delegate().rollback(savepoint);
    }

    @Override
    public void releaseSavepoint(Savepoint savepoint) throws SQLException {
        delegate().releaseSavepoint(savepoint);
    }

    @Override
    public Statement createStatement(int number, int number2, int number3) throws SQLException {
        return delegate().createStatement(number, number2, number3);
    }

    @Override
    public PreparedStatement prepareStatement(String text, int number, int number2, int number3) throws SQLException {
        return delegate().prepareStatement(text, number, number2, number3);
    }

    @Override
    public CallableStatement prepareCall(String text, int number, int number2, int number3) throws SQLException {
        return delegate().prepareCall(text, number, number2, number3);
    }

    @Override
    public PreparedStatement prepareStatement(String text, int number) throws SQLException {
        return delegate().prepareStatement(text, number);
    }

    @Override
    public PreparedStatement prepareStatement(String text, int[] numbers) throws SQLException {
        return delegate().prepareStatement(text, numbers);
    }

    @Override
    public PreparedStatement prepareStatement(String text, String[] texts) throws SQLException {
        return delegate().prepareStatement(text, texts);
    }

    @Override
    public Clob createClob() throws SQLException {
        return delegate().createClob();
    }

    @Override
    public Blob createBlob() throws SQLException {
        return delegate().createBlob();
    }

    @Override
    public NClob createNClob() throws SQLException {
        return delegate().createNClob();
    }

    @Override
    public SQLXML createSQLXML() throws SQLException {
        return delegate().createSQLXML();
    }

    @Override
    public boolean isValid(int number) throws SQLException {
        return delegate().isValid(number);
    }

    @Override
    public void setClientInfo(String text, String text2) throws SQLClientInfoException {
        delegate().setClientInfo(text, text2);
    }

    @Override
    public void setClientInfo(Properties properties) throws SQLClientInfoException {
        delegate().setClientInfo(properties);
    }

    @Override
    public String getClientInfo(String text) throws SQLException {
        return delegate().getClientInfo(text);
    }

    @Override
    public Properties getClientInfo() throws SQLException {
        return delegate().getClientInfo();
    }

    @Override
    public Array createArrayOf(String text, Object[] values) throws SQLException {
        return delegate().createArrayOf(text, values);
    }

    @Override
    public Struct createStruct(String text, Object[] values) throws SQLException {
        return delegate().createStruct(text, values);
    }

    @Override
    public void setSchema(String text) throws SQLException {
        delegate().setSchema(text);
    }

    @Override
    public String getSchema() throws SQLException {
        return delegate().getSchema();
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        delegate().abort(executor);
    }

    @Override
    public void setNetworkTimeout(Executor executor, int number) throws SQLException {
        delegate().setNetworkTimeout(executor, number);
    }

    @Override
    public int getNetworkTimeout() throws SQLException {
        return delegate().getNetworkTimeout();
    }

    @Override
    public void beginRequest() throws SQLException {
        delegate().beginRequest();
    }

    @Override
    public void endRequest() throws SQLException {
        delegate().endRequest();
    }

    @Override
    public boolean setShardingKeyIfValid(ShardingKey key, ShardingKey key2, int number) throws SQLException {
        return delegate().setShardingKeyIfValid(key, key2, number);
    }

    @Override
    public boolean setShardingKeyIfValid(ShardingKey key, int number) throws SQLException {
        return delegate().setShardingKeyIfValid(key, number);
    }

    @Override
    public void setShardingKey(ShardingKey key, ShardingKey key2) throws SQLException {
        delegate().setShardingKey(key, key2);
    }

    @Override
    public void setShardingKey(ShardingKey key) throws SQLException {
        delegate().setShardingKey(key);
    }

    @Override
    public <T> T unwrap(Class<T> kind) throws SQLException {
        return kind.isInstance(this) ? kind.cast(this) : delegate().unwrap(kind);
    }

    @Override
    public boolean isWrapperFor(Class<?> kind) throws SQLException {
        return kind.isInstance(this) || delegate().isWrapperFor(kind);
    }
}
