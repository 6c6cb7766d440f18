package dev.penstock.races.jdbcbatch;

import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.load.OpenLoad;
import java.time.Duration;
import java.util.Locale;

/** The callers and their timing. Immutable. */
sealed interface JdbcBatchTraffic {
    /** In one readable line. */
    String describe();

    /** The load. */
    Load<?> load(long seed);

    /**
     * Closed model: callers wait for their answers.
     *
     * @param callers their number
     */
    record Closed(int callers) implements JdbcBatchTraffic {
        private static final Duration START_WITHIN = Duration.ofMillis(20);

        @Override
        public String describe() {
            return callers + " callers (closed model) without think time, each writing single rows";
        }

        @Override
        public Load<?> load(long seed) {
            return ClosedLoad.of(callers, Duration.ZERO).beginningWithin(START_WITHIN, seed);
        }
    }

    /**
     * Open model: Poisson arrivals.
     *
     * @param rate per second
     */
    record Open(int rate) implements JdbcBatchTraffic {
        /** A spinning pacer would use more CPU than the system under test. */
        private static final Duration WAKES_EVERY = Duration.ofNanos(100_000);

        @Override
        public String describe() {
            return String.format(Locale.ROOT, "%,d rows/s (open model, Poisson arrivals)", rate);
        }

        @Override
        public Load<?> load(long seed) {
            return OpenLoad.at(Arrivals.poisson(rate, seed)).sparing(WAKES_EVERY);
        }
    }
}
