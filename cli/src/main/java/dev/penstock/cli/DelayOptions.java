package dev.penstock.cli;

import dev.penstock.lab.simulate.Delay;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how late a simulator is. */
final class DelayOptions {
    @Option(
            names = "--delay",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "0s",
            description = "How late it is: the middle of the distribution. Default: not at all.")
    private Duration delay = Duration.ZERO;

    @Option(
            names = "--spread",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Spread the delay evenly by so much either way.")
    private @Nullable Duration spread;

    @Option(
            names = "--delay-p99",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Make the delay lognormal with this 99th percentile; --delay is its median.")
    private @Nullable Duration p99;

    @Option(names = "--exponential", description = "Make the delay exponential; --delay is its mean.")
    private boolean exponential;

    /** Options not given yet; picocli fills them in. */
    DelayOptions() {}

    /**
     * The delay that was described.
     *
     * @throws IllegalArgumentException when it is none, in one line that says what to do
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
