package dev.penstock.lab.load;

import dev.penstock.Durations;
import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Validity;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * Finds the highest rate that this machine's generator is good for: at which it sheds next to nothing, and lags less than 1
 * ms at its 99th percentile, while the service does nothing at all. A load of a real service leaves less for the
 * generator, so what a load itself says about its lag still counts.
 *
 * <h2>Design note</h2>
 *
 * <p>It doubles the rate until one is too high, then halves the gap until it is at most 5 % wide. A rate is too high when it
 * failed twice in a row: a machine that does something else for a moment fails any rate once, and the search never comes
 * back to a rate that it has left behind.
 */
public final class Calibration {
    /** The lag that a good rate stays below, at its 99th percentile: 1 ms. */
    public static final Duration MOST_LAG = Duration.ofMillis(1);

    /** How long a rate is tried unless told otherwise: 2 s. */
    public static final Duration EACH = Duration.ofSeconds(2);

    private static final double LEAST_RATE = 1_000;
    private static final double CLOSE_ENOUGH = 1.05;
    private static final int TRIES = 2;

    /** A machine that a rate can be tried on. */
    @FunctionalInterface
    interface Machine {
        Attempt at(double rate) throws InterruptedException;
    }

    /**
     * How one rate went.
     *
     * @param rate transactions a second
     * @param lagP99 of the generator, in nanoseconds; the largest lag when there were too few to tell
     * @param offered how many were due
     * @param shed how many of them it did not start
     */
    public record Attempt(double rate, long lagP99, long offered, long shed) {
        /** Whether the generator was good for it. */
        public boolean good() {
            return offered > 0 && shed <= Validity.MOST_SHED * offered && lagP99 < MOST_LAG.toNanos();
        }
    }

    private final Machine machine;
    private final Consumer<Attempt> watcher;

    Calibration(Machine machine, Consumer<Attempt> watcher) {
        this.machine = machine;
        this.watcher = watcher;
    }

    /**
     * Looks for it on this machine.
     *
     * @param each how long each rate is tried, half as long again to warm up; above 0
     * @param watcher told of each attempt as it ends
     * @return transactions a second; empty when even 1,000 are too many
     * @throws InterruptedException when the calling thread was interrupted
     */
    public static OptionalDouble highestRate(Duration each, Consumer<Attempt> watcher) throws InterruptedException {
        return new Calibration(rate -> attempt(rate, each), watcher).highestRate();
    }

    /** The search itself: a rate goes in, an attempt comes out, and so on. */
    OptionalDouble highestRate() throws InterruptedException {
        double good = 0;
        double tooHigh = LEAST_RATE;
        while (isGood(tooHigh)) {
            good = tooHigh;
            if (good == Shape.MOST) {
                return OptionalDouble.of(good);
            }
            tooHigh = Math.min(2 * good, Shape.MOST);
        }
        while (good > 0 && tooHigh > good * CLOSE_ENOUGH) {
            double between = (good + tooHigh) / 2;
            if (isGood(between)) {
                good = between;
            } else {
                tooHigh = between;
            }
        }
        return good == 0 ? OptionalDouble.empty() : OptionalDouble.of(good);
    }

    private boolean isGood(double rate) throws InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            Attempt attempt = machine.at(rate);
            watcher.accept(attempt);
            if (attempt.good()) {
                return true;
            }
        }
        return false;
    }

    private static Attempt attempt(double rate, Duration each) throws InterruptedException {
        Duration warmUp = each.dividedBy(2);
        LoadResult result = OpenLoad.at(Arrivals.constant(rate))
                .lasting(warmUp.plus(each))
                .warmUp(warmUp)
                .run(number -> number, number -> number);
        Counts counts = result.counts();
        long lag =
                result.lag().percentile(99).orElseGet(() -> result.lag().max().orElse(Durations.nanos(each)));
        return new Attempt(rate, lag, counts.offered(), counts.shed());
    }
}
