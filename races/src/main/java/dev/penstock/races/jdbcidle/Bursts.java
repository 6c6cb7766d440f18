package dev.penstock.races.jdbcidle;

import dev.penstock.Ticker;
import dev.penstock.text.Durations;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * The timing of transactions: bursts of {@value #SIZE} concurrent transactions, with pauses in between. A burst starts
 * when it is due, whatever happened to earlier ones (open model). A transaction longer than {@link #DEADLINE} has
 * failed, and counts with that duration.
 *
 * @param lead before the first burst, during which a pool may fill itself
 * @param gaps from one burst to the next
 */
record Bursts(Duration lead, List<Duration> gaps) {
    static final int SIZE = 10;

    /** Longer than the 30 s for which most pools let a caller wait. */
    static final Duration DEADLINE = Duration.ofSeconds(40);

    private static final Duration LEAD = Duration.ofSeconds(1);

    /** The same gap, repeated. */
    static Bursts of(int times, Duration gap) {
        return new Bursts(LEAD, Collections.nCopies(times, gap));
    }

    /** From the start to the last burst. */
    Duration lasting() {
        return gaps.stream().reduce(lead, Duration::plus);
    }

    /** From the start to each burst. */
    List<Duration> at() {
        List<Duration> at = new ArrayList<>();
        at.add(lead);
        gaps.forEach(gap -> at.add(at.getLast().plus(gap)));
        return at;
    }

    /**
     * Runs the bursts, and waits until each transaction has ended or failed by its deadline.
     *
     * @return the durations, by burst
     */
    List<BurstTimes> run(PoolTransaction work) throws InterruptedException {
        long start = Ticker.SYSTEM.nanos();
        List<Burst> bursts = new ArrayList<>();
        for (Duration at : at()) {
            long due = start + Durations.nanos(at);
            while (due - Ticker.SYSTEM.nanos() > 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("the race was stopped");
                }
                Ticker.SYSTEM.parkUntil(due);
            }
            Burst burst = new Burst(due);
            bursts.add(burst);
            burst.start(work, (long) bursts.size() * SIZE);
        }
        List<BurstTimes> times = new ArrayList<>();
        for (Burst burst : bursts) {
            times.add(burst.times());
        }
        return times;
    }

    /** A burst in progress. */
    private static final class Burst {
        private final long due;
        private final CountDownLatch left = new CountDownLatch(SIZE);
        private final long[] took = new long[SIZE];
        private final boolean[] failed = new boolean[SIZE];

        Burst(long due) {
            this.due = due;
        }

        @SuppressWarnings("IllegalCatch") // any exception of a contestant fails the transaction
        void start(PoolTransaction work, long first) {
            for (int i = 0; i < SIZE; i++) {
                int index = i;
                Thread.ofVirtual().start(() -> {
                    boolean succeeded = false;
                    try {
                        work.run(first + index);
                        succeeded = true;
                    } catch (Exception | LinkageError e) {
                        // The transaction failed.
                    }
                    ended(index, succeeded);
                });
            }
        }

        private synchronized void ended(int index, boolean succeeded) {
            took[index] = Math.max(1, Ticker.SYSTEM.nanos() - due);
            failed[index] = !succeeded;
            left.countDown();
        }

        BurstTimes times() throws InterruptedException {
            left.await(due + DEADLINE.toNanos() - Ticker.SYSTEM.nanos(), TimeUnit.NANOSECONDS);
            synchronized (this) {
                List<Long> nanos = new ArrayList<>();
                int errors = 0;
                for (int i = 0; i < SIZE; i++) {
                    boolean late = took[i] == 0 || took[i] > DEADLINE.toNanos();
                    nanos.add(late ? DEADLINE.toNanos() : took[i]);
                    errors += late || failed[i] ? 1 : 0;
                }
                return new BurstTimes(nanos, errors);
            }
        }
    }

    /**
     * One transaction: get a connection, execute one short statement, return it. Every second one reads, the others
     * write. Thread-safe.
     *
     * @param source provides connections
     * @param table with its schema, {@code entry}
     */
    record PoolTransaction(DataSource source, String table) {
        void run(long number) throws SQLException {
            try (Connection connection = source.getConnection()) {
                if (number % 2 == 0) {
                    read(connection, number);
                } else {
                    write(connection, number);
                }
            }
        }

        private void read(Connection connection, long number) throws SQLException {
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT count(*) FROM " + table + " WHERE id = ?")) {
                statement.setLong(1, number);
                try (ResultSet rows = statement.executeQuery()) {
                    rows.next();
                }
            }
        }

        private void write(Connection connection, long number) throws SQLException {
            try (PreparedStatement statement =
                    connection.prepareStatement("INSERT INTO " + table + " (id) VALUES (?)")) {
                statement.setLong(1, number);
                if (statement.executeUpdate() != 1) {
                    throw new SQLException("inserted no row");
                }
            }
        }
    }
}
