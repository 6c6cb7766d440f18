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
 * Asks connections whether they live: one round trip, on a virtual thread of its own, as drivers know bounds in whole
 * seconds or none. Safe for many threads.
 */
final class Validations {
    /** How long an answer that is too late is waited for, only to learn how late it is. */
    private static final Duration LATE = Duration.ofNanos(ValidationTimeout.MOST);

    private final @Nullable String query;
    private final Ticker ticker;
    private final LongAdder made = new LongAdder();

    /**
     * Asks by a query.
     *
     * @param query null for the driver's own {@link Connection#isValid}
     */
    Validations(@Nullable String query, Ticker ticker) {
        this.query = query;
        this.ticker = ticker;
    }

    /**
     * Asks a connection. One that does not live is ended.
     *
     * @param bound how long to wait, nanoseconds
     * @param late told when an answer came after all, with the time that it took; nanoseconds
     * @return the time of the round trip, or -1 for one that does not live
     */
    long roundTrip(PhysicalConnection physical, long bound, LongConsumer late) {
        made.increment();
        long start = ticker.nanos();
        CompletableFuture<Boolean> lives = new CompletableFuture<>();
        Thread asking = Thread.ofVirtual().name("penstock-jdbc-look").start(() -> {
            boolean answered = isAnswered(physical.connection());
            if (!lives.complete(answered) && answered) {
                late.accept(ticker.nanos() - start);
            }
        });
        if (isTrueWithin(lives, bound)) {
            return ticker.nanos() - start;
        }
        end(physical, asking);
        return -1;
    }

    private static boolean isTrueWithin(CompletableFuture<Boolean> lives, long bound) {
        try {
            return lives.get(bound, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return !lives.complete(false) && lives.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !lives.complete(false) && lives.join();
        } catch (ExecutionException e) {
            return false;
        }
    }

    private static void end(PhysicalConnection physical, Thread asking) {
        Thread _ = Thread.ofVirtual().name("penstock-jdbc-end").start(() -> {
            try {
                asking.join(LATE);
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

    /** How many round trips were asked for. */
    long made() {
        return made.sum();
    }
}
