package dev.penstock.cli;

import dev.penstock.lab.load.Calibration;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;

/** Measures the load generator against a target that does nothing, and prints a line per rate. */
final class CalibrateRun {
    private CalibrateRun() {}

    /** Returns the exit code. */
    static int run(Duration each, PrintWriter out) throws InterruptedException {
        out.printf(Locale.ROOT, "%9s  %10s  %7s  %s%n", "rate", "lag p99 ms", "shed", "valid");
        OptionalDouble highest = Calibration.highestRate(each, attempt -> {
            out.printf(
                    Locale.ROOT,
                    "%,9.0f  %,10.3f  %,7d  %s%n",
                    attempt.rate(),
                    attempt.lagP99() / 1e6,
                    attempt.shed(),
                    attempt.sustained() ? "yes" : "no");
        });
        if (highest.isEmpty()) {
            out.println(
                    "the load generator is not accurate at any tested rate on this machine: use more cores, or stop other"
                            + " programs");
            return CommandLineExit.FAILED;
        }
        out.printf(
                Locale.ROOT, "the load generator is accurate up to %,.0f/s on this machine%n", highest.getAsDouble());
        return CommandLineExit.DONE;
    }
}
