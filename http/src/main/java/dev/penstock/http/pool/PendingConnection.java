package dev.penstock.http.pool;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is being opened on a thread of its own. A caller whose time runs out leaves it to the next caller that needs
 * a connection; if there is none by the time it is open, it becomes idle. So a caller with little time does not cut off a
 * handshake, and its deadline shows nothing about the target. Thread-safe.
 *
 * <pre>
 *   AWAITED --leave--> LEFT --adopt--> AWAITED
 *   AWAITED, LEFT --opened or failed--> ENDED
 * </pre>
 */
final class PendingConnection implements Runnable {
    private enum State {
        AWAITED,
        LEFT,
        ENDED
    }

    private final ConnectionPool pool;
    private final HostLookup.Addresses addresses;
    private final long until;
    private final Thread thread;
    private final AtomicReference<State> state = new AtomicReference<>(State.AWAITED);
    private final CompletableFuture<Connection> result = new CompletableFuture<>();

    /**
     * One that its caller waits for; {@link #start} it.
     *
     * @param until the reading of the ticker by which it has to be open
     */
    PendingConnection(ConnectionPool pool, HostLookup.Addresses addresses, long until) {
        this.pool = pool;
        this.addresses = addresses;
        this.until = until;
        this.thread = Thread.ofVirtual().name("penstock-open").unstarted(this);
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        Connection connection = null;
        Throwable failure = null;
        try {
            connection = pool.open(addresses, until);
        } catch (Throwable any) {
            failure = any;
        }
        pool.ended(this, failure);
        boolean wasLeft = state.getAndSet(State.ENDED) == State.LEFT;
        if (failure != null) {
            boolean _ = result.completeExceptionally(failure);
            if (wasLeft && failure instanceof Error error) {
                // No caller is left to receive it, so the uncaught-exception handler reports it.
                throw error;
            }
        } else if (connection != null) {
            boolean _ = result.complete(connection);
            if (wasLeft) {
                pool.giveBack(connection, Long.MAX_VALUE, connection.securedAt());
            }
        }
    }

    /** Whether no caller waited for it, and the calling one does now. */
    boolean adopt() {
        return state.compareAndSet(State.LEFT, State.AWAITED);
    }

    boolean isLeft() {
        return state.get() == State.LEFT;
    }

    /** Ends the attempt, because the pool is closed. */
    void cancel() {
        thread.interrupt();
    }

    /**
     * Waits for it.
     *
     * @param by the reading of the ticker until which to wait
     * @return null if the time ran out first
     * @throws IOException if it could not be opened
     * @throws InterruptedException if the calling thread was interrupted
     */
    @Nullable
    Connection await(long by) throws IOException, InterruptedException {
        try {
            // Its own time limit ends it otherwise.
            return by - until < 0 ? result.get(by - pool.ticker().nanos(), TimeUnit.NANOSECONDS) : result.get();
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            if (!state.compareAndSet(State.AWAITED, State.LEFT)) {
                return joined(e);
            }
            if (e instanceof InterruptedException interrupted) {
                throw interrupted;
            }
            return null;
        }
    }

    /** It has ended at the moment at which its caller wanted to leave. */
    private Connection joined(Exception left) throws IOException {
        if (left instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        try {
            return result.join();
        } catch (CompletionException e) {
            throw failure(e.getCause());
        }
    }

    private static IOException failure(@Nullable Throwable cause) {
        return switch (cause) {
            case IOException known -> known;
            case RuntimeException known -> throw known;
            case Error known -> throw known;
            case null, default -> new IOException("opening the connection was interrupted", cause);
        };
    }
}
