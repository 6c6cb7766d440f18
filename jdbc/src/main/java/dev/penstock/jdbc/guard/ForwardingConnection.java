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

/** A connection that hands every call on to another. As the JDBC interfaces, it says nothing about nulls. */
@NullUnmarked
abstract class ForwardingConnection implements Connection {
    /** The connection that calls go to. */
    abstract Connection to();

    @Override
    public Statement createStatement() throws SQLException {
        return to().createStatement();
    }

    @Override
    public PreparedStatement prepareStatement(String text) throws SQLException {
        return to().prepareStatement(text);
    }

    @Override
    public CallableStatement prepareCall(String text) throws SQLException {
        return to().prepareCall(text);
    }

    @Override
    public String nativeSQL(String text) throws SQLException {
        return to().nativeSQL(text);
    }

    @Override
    public void setAutoCommit(boolean on) throws SQLException {
        to().setAutoCommit(on);
    }

    @Override
    public boolean getAutoCommit() throws SQLException {
        return to().getAutoCommit();
    }

    @Override
    public void commit() throws SQLException {
        to().commit();
    }

    @Override
    public void rollback() throws SQLException {
        to().rollback();
    }

    @Override
    public void close() throws SQLException {
        to().close();
    }

    @Override
    public boolean isClosed() throws SQLException {
        return to().isClosed();
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        return to().getMetaData();
    }

    @Override
    public void setReadOnly(boolean on) throws SQLException {
        to().setReadOnly(on);
    }

    @Override
    public boolean isReadOnly() throws SQLException {
        return to().isReadOnly();
    }

    @Override
    public void setCatalog(String text) throws SQLException {
        to().setCatalog(text);
    }

    @Override
    public String getCatalog() throws SQLException {
        return to().getCatalog();
    }

    @Override
    public void setTransactionIsolation(int number) throws SQLException {
        to().setTransactionIsolation(number);
    }

    @Override
    public int getTransactionIsolation() throws SQLException {
        return to().getTransactionIsolation();
    }

    @Override
    public SQLWarning getWarnings() throws SQLException {
        return to().getWarnings();
    }

    @Override
    public void clearWarnings() throws SQLException {
        to().clearWarnings();
    }

    @Override
    public Statement createStatement(int number, int number2) throws SQLException {
        return to().createStatement(number, number2);
    }

    @Override
    public PreparedStatement prepareStatement(String text, int number, int number2) throws SQLException {
        return to().prepareStatement(text, number, number2);
    }

    @Override
    public CallableStatement prepareCall(String text, int number, int number2) throws SQLException {
        return to().prepareCall(text, number, number2);
    }

    @Override
    public Map<String, Class<?>> getTypeMap() throws SQLException {
        return to().getTypeMap();
    }

    @Override
    public void setTypeMap(Map<String, Class<?>> value) throws SQLException {
        to().setTypeMap(value);
    }

    @Override
    public void setHoldability(int number) throws SQLException {
        to().setHoldability(number);
    }

    @Override
    public int getHoldability() throws SQLException {
        return to().getHoldability();
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        return to().setSavepoint();
    }

    @Override
    public Savepoint setSavepoint(String text) throws SQLException {
        return to().setSavepoint(text);
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        to().rollback(savepoint);
    }

    @Override
    public void releaseSavepoint(Savepoint savepoint) throws SQLException {
        to().releaseSavepoint(savepoint);
    }

    @Override
    public Statement createStatement(int number, int number2, int number3) throws SQLException {
        return to().createStatement(number, number2, number3);
    }

    @Override
    public PreparedStatement prepareStatement(String text, int number, int number2, int number3) throws SQLException {
        return to().prepareStatement(text, number, number2, number3);
    }

    @Override
    public CallableStatement prepareCall(String text, int number, int number2, int number3) throws SQLException {
        return to().prepareCall(text, number, number2, number3);
    }

    @Override
    public PreparedStatement prepareStatement(String text, int number) throws SQLException {
        return to().prepareStatement(text, number);
    }

    @Override
    public PreparedStatement prepareStatement(String text, int[] numbers) throws SQLException {
        return to().prepareStatement(text, numbers);
    }

    @Override
    public PreparedStatement prepareStatement(String text, String[] texts) throws SQLException {
        return to().prepareStatement(text, texts);
    }

    @Override
    public Clob createClob() throws SQLException {
        return to().createClob();
    }

    @Override
    public Blob createBlob() throws SQLException {
        return to().createBlob();
    }

    @Override
    public NClob createNClob() throws SQLException {
        return to().createNClob();
    }

    @Override
    public SQLXML createSQLXML() throws SQLException {
        return to().createSQLXML();
    }

    @Override
    public boolean isValid(int number) throws SQLException {
        return to().isValid(number);
    }

    @Override
    public void setClientInfo(String text, String text2) throws SQLClientInfoException {
        to().setClientInfo(text, text2);
    }

    @Override
    public void setClientInfo(Properties properties) throws SQLClientInfoException {
        to().setClientInfo(properties);
    }

    @Override
    public String getClientInfo(String text) throws SQLException {
        return to().getClientInfo(text);
    }

    @Override
    public Properties getClientInfo() throws SQLException {
        return to().getClientInfo();
    }

    @Override
    public Array createArrayOf(String text, Object[] values) throws SQLException {
        return to().createArrayOf(text, values);
    }

    @Override
    public Struct createStruct(String text, Object[] values) throws SQLException {
        return to().createStruct(text, values);
    }

    @Override
    public void setSchema(String text) throws SQLException {
        to().setSchema(text);
    }

    @Override
    public String getSchema() throws SQLException {
        return to().getSchema();
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        to().abort(executor);
    }

    @Override
    public void setNetworkTimeout(Executor executor, int number) throws SQLException {
        to().setNetworkTimeout(executor, number);
    }

    @Override
    public int getNetworkTimeout() throws SQLException {
        return to().getNetworkTimeout();
    }

    @Override
    public void beginRequest() throws SQLException {
        to().beginRequest();
    }

    @Override
    public void endRequest() throws SQLException {
        to().endRequest();
    }

    @Override
    public boolean setShardingKeyIfValid(ShardingKey key, ShardingKey key2, int number) throws SQLException {
        return to().setShardingKeyIfValid(key, key2, number);
    }

    @Override
    public boolean setShardingKeyIfValid(ShardingKey key, int number) throws SQLException {
        return to().setShardingKeyIfValid(key, number);
    }

    @Override
    public void setShardingKey(ShardingKey key, ShardingKey key2) throws SQLException {
        to().setShardingKey(key, key2);
    }

    @Override
    public void setShardingKey(ShardingKey key) throws SQLException {
        to().setShardingKey(key);
    }

    @Override
    public <T> T unwrap(Class<T> kind) throws SQLException {
        return kind.isInstance(this) ? kind.cast(this) : to().unwrap(kind);
    }

    @Override
    public boolean isWrapperFor(Class<?> kind) throws SQLException {
        return kind.isInstance(this) || to().isWrapperFor(kind);
    }
}
