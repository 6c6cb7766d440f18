package dev.penstock.jdbc.guard;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the driver, and who uses it: nobody ({@code IDLE}), one {@link Ping}, one {@link LeasedConnection}, or
 * nobody any more ({@code DEAD}). Every change is a compare-and-set, so a connection never has two users, and an abort
 * waits for no lock. Thread-safe.
 */
final class PhysicalConnection {
    private enum Unused {
        IDLE,
        DEAD
    }

    private static final int CLOSE_SECONDS = 2;

    final Connection connection;
    final long openedAt;
    final @Nullable SocketChannel socket;
    private final AtomicReference<Object> user = new AtomicReference<>(Unused.IDLE);
    private volatile long answeredAt;
    private volatile long usedAt;

    /** The time of the last check of its socket, by the ticker. For its user. */
    long checkedAt;

    /**
     * An idle connection.
     *
     * @param socket its socket; null if the driver does not let Penstock create it
     * @param openedAt the time it was opened, by the ticker
     */
    PhysicalConnection(Connection connection, @Nullable SocketChannel socket, long openedAt) {
        this.connection = connection;
        this.socket = socket;
        this.openedAt = openedAt;
        this.answeredAt = openedAt;
        this.usedAt = openedAt;
        this.checkedAt = openedAt;
    }

    /** A round trip that only validates; its result is whether the connection answered. */
    final class Ping extends CompletableFuture<Boolean> {
        /** How long the connection was idle before, in nanoseconds. */
        final long idle;

        private Ping(long idle) {
            this.idle = idle;
        }

        PhysicalConnection physical() {
            return PhysicalConnection.this;
        }

        /** Whether the connection answers within a time, in nanoseconds. An interrupt ends the wait, and stays. */
        boolean isAnswered(long nanos) {
            try {
                return get(nanos, TimeUnit.NANOSECONDS);
            } catch (TimeoutException | ExecutionException late) {
                return false;
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        /** The connection answered. */
        void answered(long now) {
            answeredAt = now;
            user.compareAndSet(this, Unused.IDLE);
            complete(true);
        }

        /** The connection was not used after all; its last answer stays the last. */
        void withdrawn() {
            user.compareAndSet(this, Unused.IDLE);
            complete(true);
        }

        /** The connection is closed; returns false when nobody waits for it any more. */
        boolean failed() {
            boolean first = kill(this);
            complete(false);
            return first;
        }

        /** Ends the use of the connection, but leaves it open for a late answer; false when it was answered. */
        boolean retire() {
            return user.compareAndSet(this, Unused.DEAD);
        }
    }

    /** The time of the last answer, by the ticker. */
    long answeredAt() {
        return answeredAt;
    }

    /** The time of the last answer that a caller, or its validation, got, by the ticker. */
    long usedAt() {
        return usedAt;
    }

    boolean isIdle() {
        return user.get() == Unused.IDLE;
    }

    boolean isDead() {
        return user.get() == Unused.DEAD;
    }

    boolean isLeased() {
        return user.get() instanceof LeasedConnection;
    }

    /** Gives it to a caller, if it is idle. */
    boolean lend(LeasedConnection to) {
        return user.compareAndSet(Unused.IDLE, to);
    }

    /**
     * Ends a lease, unless another one has begun.
     *
     * @param answered the time of the last answer; null if the caller asked nothing
     */
    void release(LeasedConnection from, @Nullable Long answered) {
        if (user.get() == from) {
            if (answered != null) {
                answeredAt = answered;
            }
            usedAt = answeredAt;
            user.compareAndSet(from, Unused.IDLE);
        }
    }

    /** Ends a lease whose connection HikariCP has back, but which was not or not yet {@linkplain #release released}. */
    void endLease() {
        if (user.get() instanceof LeasedConnection past) {
            user.compareAndSet(past, Unused.IDLE);
        }
    }

    /**
     * The validation in progress, or a new one.
     *
     * @param now the time, by the ticker
     * @param exchange performs the round trip on a virtual thread, and completes the ping
     * @return null while it is leased, and when it is dead
     */
    @Nullable
    Ping ping(long now, Consumer<Ping> exchange) {
        Ping mine = new Ping(now - answeredAt);
        while (!user.compareAndSet(Unused.IDLE, mine)) {
            Object other = user.get();
            if (other != Unused.IDLE) {
                return other instanceof Ping running ? running : null;
            }
        }
        try {
            Thread.ofVirtual().name("penstock-jdbc-validate").start(() -> exchange.accept(mine));
        } catch (Throwable noThread) {
            mine.failed();
            throw noThread;
        }
        return mine;
    }

    /** Ends the connection if it still has this user, who need not have an answer. Waits for nothing. */
    boolean kill(Object expected) {
        if (!user.compareAndSet(expected, Unused.DEAD)) {
            return false;
        }
        abort();
        return true;
    }

    /** Closes it in good order, if it is idle. Waits for nothing. */
    boolean closeIfIdle() {
        boolean idle = user.compareAndSet(Unused.IDLE, Unused.DEAD);
        if (idle) {
            closeInOrder();
        }
        return idle;
    }

    /** Closes it, in good order if it is idle. Waits for nothing. Idempotent. */
    void close() {
        if (!closeIfIdle() && user.getAndSet(Unused.DEAD) != Unused.DEAD) {
            abort();
        }
    }

    private void closeInOrder() {
        Thread closing = Thread.ofVirtual().name("penstock-jdbc-close").start(() -> {
            try {
                connection.close();
            } catch (SQLException | RuntimeException e) {
                abort();
            }
        });
        CompletableFuture.delayedExecutor(CLOSE_SECONDS, TimeUnit.SECONDS, Runnable::run)
                .execute(() -> {
                    if (closing.isAlive()) {
                        abort();
                    }
                });
    }

    /**
     * Ends whatever waits for it: closes the socket. Without one the driver has to do it, which may be a command to the
     * server: MariaDB's kills the session with that number, which after a failover may be anybody's.
     */
    void abort() {
        if (socket != null) {
            close(socket);
            return;
        }
        Thread.ofVirtual().name("penstock-jdbc-abort").start(() -> {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException | RuntimeException | AbstractMethodError e) {
                // The driver knows no better way.
            }
        });
    }

    static void close(SocketChannel socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Closed in any case.
        }
    }

    @Override
    public String toString() {
        Object now = user.get();
        return now instanceof Ping ? "being validated" : now instanceof LeasedConnection ? "leased" : now.toString();
    }
}
