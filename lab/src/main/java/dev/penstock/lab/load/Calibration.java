package dev.penstock.lab.load;

import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Validity;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * Finds the highest rate this machine's load generator can sustain: almost nothing shed, and a lag below 1 ms at the
 * 99th percentile, with a service that does nothing. A real service leaves less CPU for the generator, so the lag
 * measured during a load still decides its validity.
 * <h2>Design note</h2>
 *
 * <p>The rate doubles until one is too high; then the interval is bisected until it is at most 5 % wide. A rate is too
 * high when it fails twice in a row, because a brief disturbance of the machine can fail any rate once, and the search
 * never retries a rejected rate.
 */
public final class Calibration {
    /** The maximum lag of a sustainable rate, at the 99th percentile: 1 ms. */
    public static final Duration MAX_LAG = Duration.ofMillis(1);

    /** The default time per rate: 2 s. */
    public static final Duration EACH = Duration.ofSeconds(2);

    private static final double MIN_RATE = 1_000;
    private static final double TOLERANCE = 1.05;
    private static final int TRIES = 2;

    /** Tries a rate. */
    @FunctionalInterface
    interface Machine {
        Attempt at(double rate) throws InterruptedException;
    }

    /**
     * The result of one rate.
     *
     * @param rate transactions per second
     * @param lagP99 99th percentile of the generator's lag, in nanoseconds; the maximum when there are too few samples
     * @param offered number of transactions due
     * @param shed how many of them were not started
     */
    public record Attempt(double rate, long lagP99, long offered, long shed) {
        /** Whether the generator sustained the rate. */
        public boolean sustained() {
            return offered > 0 && shed <= Validity.MAX_SHED * offered && lagP99 < MAX_LAG.toNanos();
        }
    }

    private final Machine machine;
    private final Consumer<Attempt> watcher;

    Calibration(Machine machine, Consumer<Attempt> watcher) {
        this.machine = machine;
        this.watcher = watcher;
    }

    /**
     * Searches on this machine.
     *
     * @param each time per rate, plus half as long for warm-up; above 0
     * @param watcher receives each attempt as it ends
     * @return transactions per second; empty when even 1,000 are too many
     * @throws InterruptedException when the calling thread is interrupted
     */
    public static OptionalDouble highestRate(Duration each, Consumer<Attempt> watcher) throws InterruptedException {
        return new Calibration(rate -> attempt(rate, each), watcher).highestRate();
    }

    /** The search itself, with the attempts as input. */
    OptionalDouble highestRate() throws InterruptedException {
        double sustained = 0;
        double tooHigh = MIN_RATE;
        while (isSustained(tooHigh)) {
            sustained = tooHigh;
            if (sustained == Shape.MAX) {
                return OptionalDouble.of(sustained);
            }
            tooHigh = Math.min(2 * sustained, Shape.MAX);
        }
        while (sustained > 0 && tooHigh > sustained * TOLERANCE) {
            double between = (sustained + tooHigh) / 2;
            if (isSustained(between)) {
                sustained = between;
            } else {
                tooHigh = between;
            }
        }
        return sustained == 0 ? OptionalDouble.empty() : OptionalDouble.of(sustained);
    }

    private boolean isSustained(double rate) throws InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            Attempt attempt = machine.at(rate);
            watcher.accept(attempt);
            if (attempt.sustained()) {
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
