package dev.penstock.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source with an action at calls of its connections and their prepared statements. */
final class Intercepted {
    /** An action at a call. */
    @FunctionalInterface
    interface Action {
        /**
         * Called before a method of a connection, and after one of a prepared statement.
         *
         * @param method its name
         */
        void at(Connection connection, String method) throws SQLException;
    }

    private Intercepted() {}

    /** Opens a connection to the database of a pool for each call. */
    static DataSource dataSource(DataSource pool, Action action) {
        String url = ((HikariDataSource) pool).getJdbcUrl();
        return proxy(DataSource.class, (_, _, _) -> connection(DriverManager.getConnection(url), action));
    }

    private static Connection connection(Connection real, Action action) {
        return proxy(Connection.class, (_, method, args) -> {
            action.at(real, method.getName());
            Object result = call(real, method, args);
            return result instanceof PreparedStatement statement ? statement(statement, real, action) : result;
        });
    }

    private static PreparedStatement statement(PreparedStatement real, Connection connection, Action action) {
        return proxy(PreparedStatement.class, (_, method, args) -> {
            Object result = call(real, method, args);
            action.at(connection, "statement." + method.getName());
            return result;
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object call(Object real, Method method, Object @Nullable [] args) throws Throwable {
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }
}
