package dev.penstock.cli;

import dev.penstock.lab.simulate.Delay;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the delay of a simulator. */
final class DelayOptions {
    @Option(
            names = "--delay",
            paramLabel = "TIME",
            defaultValue = "0s",
            description = "The delay: the middle of the distribution. Default: none.")
    private Duration delay = Duration.ZERO;

    @Option(
            names = "--spread",
            paramLabel = "TIME",
            description = "Distribute the delay evenly over --delay plus or minus this time.")
    private @Nullable Duration spread;

    @Option(
            names = "--delay-p99",
            paramLabel = "TIME",
            description = "Make the delay lognormal with this 99th percentile; --delay is its median.")
    private @Nullable Duration p99;

    @Option(names = "--exponential", description = "Make the delay exponential; --delay is its mean.")
    private boolean exponential;

    /**
     * The configured delay.
     *
     * @throws IllegalArgumentException invalid options, with a one-line remedy
     */
    Delay delay() {
        if ((spread == null ? 0 : 1) + (p99 == null ? 0 : 1) + (exponential ? 1 : 0) > 1) {
            throw new IllegalArgumentException("give only one of --spread, --delay-p99 and --exponential");
        }
        if (spread != null) {
            return new Delay.Spread(delay, spread);
        }
        if (p99 != null) {
            return new Delay.LogNormal(delay, p99);
        }
        return exponential ? new Delay.Exponential(delay) : new Delay.Constant(delay);
    }
}
