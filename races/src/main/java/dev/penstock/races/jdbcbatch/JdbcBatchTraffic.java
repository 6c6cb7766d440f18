package dev.penstock.races.jdbcbatch;

import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.load.OpenLoad;
import java.time.Duration;
import java.util.Locale;

/** Who writes, and when. Immutable. */
sealed interface JdbcBatchTraffic {
    /** In one line for people. */
    String words();

    /** The load that it makes. */
    Load<?> load(long seed);

    /**
     * Callers who wait for their answers.
     *
     * @param callers how many
     */
    record Closed(int callers) implements JdbcBatchTraffic {
        private static final Duration BEGIN_WITHIN = Duration.ofMillis(20);

        @Override
        public String words() {
            return callers + " callers, each of whom writes one row and, once answered, the next";
        }

        @Override
        public Load<?> load(long seed) {
            return ClosedLoad.of(callers, Duration.ZERO).beginningWithin(BEGIN_WITHIN, seed);
        }
    }

    /**
     * Rows at random times, from callers who know nothing of each other.
     *
     * @param rate a second
     */
    record Open(int rate) implements JdbcBatchTraffic {
        /** A pacer that spins would take more CPU than what it loads. */
        private static final Duration WAKES_EVERY = Duration.ofNanos(100_000);

        @Override
        public String words() {
            return String.format(Locale.ROOT, "%,d rows a second at random times (Poisson)", rate);
        }

        @Override
        public Load<?> load(long seed) {
            return OpenLoad.at(Arrivals.poisson(rate, seed)).sparing(WAKES_EVERY);
        }
    }
}
