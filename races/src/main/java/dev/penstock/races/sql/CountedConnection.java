package dev.penstock.races.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A connection that counts statements and times transactions. For one thread at a time. */
final class CountedConnection implements InvocationHandler {
    /** Statements that name this table are the race's work. */
    private static final String WORK = "entry";

    private final Connection real;
    private final Connection proxy;
    private boolean inTransaction;
    private long began;

    CountedConnection(Connection real) {
        this.real = real;
        this.proxy = (Connection) Proxy.newProxyInstance(
                CountedConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
    }

    Connection proxy() {
        return proxy;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // that is what equals is here
    public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        return switch (method.getName()) {
            case "equals" -> arguments != null && self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            case "isValid" -> {
                SqlCounts.validation();
                yield call(real, method, arguments);
            }
            case "commit" -> commit(method, arguments);
            case "rollback" -> {
                inTransaction = inTransaction && arguments != null;
                yield call(real, method, arguments);
            }
            case "createStatement", "prepareStatement", "prepareCall" -> statement(method, arguments);
            default -> call(real, method, arguments);
        };
    }

    private @Nullable Object commit(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        Object nothing = call(real, method, arguments);
        if (inTransaction) {
            inTransaction = false;
            SqlCounts.commit(System.nanoTime() - began);
        }
        return nothing;
    }

    private @Nullable Object statement(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        Object statement = call(real, method, arguments);
        String sql = arguments != null && arguments.length > 0 && arguments[0] instanceof String text ? text : null;
        Class<?> kind = statement instanceof CallableStatement
                ? CallableStatement.class
                : statement instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
        return Proxy.newProxyInstance(
                CountedConnection.class.getClassLoader(),
                new Class<?>[] {kind},
                (self, asked, given) -> onStatement(statement, sql, self, asked, given));
    }

    @SuppressWarnings("ReferenceEquality") // as above
    private @Nullable Object onStatement(
            @Nullable Object statement,
            @Nullable String prepared,
            Object self,
            Method method,
            @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().startsWith("execute")) {
            String sql =
                    arguments != null && arguments.length > 0 && arguments[0] instanceof String text ? text : prepared;
            return executed(statement, sql, method, arguments);
        }
        return switch (method.getName()) {
            case "equals" -> arguments != null && self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            case "getConnection" -> proxy;
            default -> call(statement, method, arguments);
        };
    }

    private @Nullable Object executed(
            @Nullable Object statement, @Nullable String sql, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (sql != null && !sql.contains(WORK)) {
            SqlCounts.validation();
            return call(statement, method, arguments);
        }
        long start = System.nanoTime();
        boolean alone = real.getAutoCommit();
        if (!alone && !inTransaction) {
            inTransaction = true;
            began = start;
        }
        Object result = call(statement, method, arguments);
        if (alone) {
            SqlCounts.commit(System.nanoTime() - start);
        }
        return result;
    }

    private static @Nullable Object call(
            @Nullable Object target, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? new SQLException(e) : e.getCause();
        }
    }
}
