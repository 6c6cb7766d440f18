package dev.penstock.cli;

import dev.penstock.lab.load.Calibration;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;

/** Prints how the generator does against a target that does nothing, a line for each rate. */
final class CalibrateRun {
    private CalibrateRun() {}

    /** Returns the exit code. */
    static int run(Duration each, PrintWriter out) throws InterruptedException {
        out.printf(Locale.ROOT, "%9s  %10s  %7s  %s%n", "rate", "lag p99 ms", "shed", "valid");
        out.flush();
        OptionalDouble highest = Calibration.highestRate(each, attempt -> {
            out.printf(
                    Locale.ROOT,
                    "%,9.0f  %,10.3f  %,7d  %s%n",
                    attempt.rate(),
                    attempt.lagP99() / 1e6,
                    attempt.shed(),
                    attempt.sustained() ? "yes" : "no");
            out.flush();
        });
        if (highest.isEmpty()) {
            out.println(
                    "this machine's generator is good for no rate that was tried: give it more cores, or less else to"
                            + " do");
            out.flush();
            return CommandLineExit.FAILED;
        }
        out.printf(Locale.ROOT, "this machine's generator is good for %,.0f/s%n", highest.getAsDouble());
        out.flush();
        return CommandLineExit.DONE;
    }
}
