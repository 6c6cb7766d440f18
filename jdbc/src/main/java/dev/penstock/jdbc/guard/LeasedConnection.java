package dev.penstock.jdbc.guard;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The connection that a caller borrows: HikariCP's, with an {@code abort} that takes effect at once, whatever the caller
 * waits for, including a rollback and the close. After the close it has no effect.
 */
final class LeasedConnection implements InvocationHandler {
    private final HouseKeeper houseKeeper;
    private final Connection pooled;
    private final PhysicalConnection physical;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final LongAdder returned;
    private boolean used;

    /**
     * Takes the connection of a shell.
     *
     * @param pooled HikariCP's connection around the shell
     * @param returned counts the connections given back
     * @param until the end of the caller's time, by the ticker
     */
    LeasedConnection(HouseKeeper houseKeeper, Connection pooled, LongAdder returned, long until)
            throws SQLException, InterruptedException {
        this.houseKeeper = houseKeeper;
        this.pooled = pooled;
        this.returned = returned;
        this.physical = pooled.unwrap(PooledConnection.class).borrow(this, until);
    }

    Connection forCaller() {
        return (Connection) Proxy.newProxyInstance(
                LeasedConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a connection equals only itself
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        switch (method.getName()) {
            case "close" -> close();
            case "abort" -> abort();
            case "equals" -> {
                return arguments != null && proxy == arguments[0];
            }
            case "hashCode" -> {
                return System.identityHashCode(this);
            }
            default -> {
                used |= Statement.class.isAssignableFrom(method.getReturnType());
                return PooledConnection.forwarded(pooled, method, arguments);
            }
        }
        return null;
    }

    private void close() throws SQLException {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        boolean clean = false;
        try {
            pooled.close();
            clean = true;
        } finally {
            if (clean) {
                physical.release(this, used ? houseKeeper.now() : null);
            } else {
                physical.kill(this);
            }
            returned.increment();
        }
    }

    private void abort() {
        if (physical.kill(this)) {
            houseKeeper.suspect();
        }
    }
}
