package dev.penstock.jdbc.guard;

import dev.penstock.Ticker;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Validates connections by one round trip, on a virtual thread, since drivers support only timeouts of whole seconds or
 * none. Thread-safe.
 */
final class Validations {
    /** How long to wait for a late answer, only to measure it. */
    private static final Duration LATE = Duration.ofNanos(ValidationTimeout.MAX);

    private final @Nullable String query;
    private final Ticker ticker;
    private final LongAdder made = new LongAdder();

    /**
     * With a validation query.
     *
     * @param query null for {@link Connection#isValid}
     */
    Validations(@Nullable String query, Ticker ticker) {
        this.query = query;
        this.ticker = ticker;
    }

    /**
     * Validates a connection. A dead one is aborted.
     *
     * @param timeout the timeout, in nanoseconds
     * @param late receives the duration of an answer that came after the timeout, in nanoseconds
     * @return the duration of the round trip, in nanoseconds, or -1 when the connection is dead
     */
    long roundTrip(PhysicalConnection physical, long timeout, LongConsumer late) {
        made.increment();
        long start = ticker.nanos();
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Thread validation = Thread.ofVirtual().name("penstock-jdbc-validate").start(() -> {
            boolean answered = isAnswered(physical.connection());
            if (!answer.complete(answered) && answered) {
                late.accept(ticker.nanos() - start);
            }
        });
        if (isTrueWithin(answer, timeout)) {
            return ticker.nanos() - start;
        }
        end(physical, validation);
        return -1;
    }

    private static boolean isTrueWithin(CompletableFuture<Boolean> answer, long timeout) {
        try {
            return answer.get(timeout, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return !answer.complete(false) && answer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !answer.complete(false) && answer.join();
        } catch (ExecutionException e) {
            return false;
        }
    }

    private static void end(PhysicalConnection physical, Thread validation) {
        Thread _ = Thread.ofVirtual().name("penstock-jdbc-abort").start(() -> {
            try {
                validation.join(LATE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                physical.abort();
            }
        });
    }

    private boolean isAnswered(Connection connection) {
        try {
            if (query == null) {
                if (!connection.isValid(1)) {
                    return false;
                }
            } else {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(query);
                }
            }
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return true;
        } catch (SQLException | RuntimeException | LinkageError e) {
            return false;
        }
    }

    /** The number of validations so far. */
    long made() {
        return made.sum();
    }
}
