package dev.penstock.cli;

import dev.penstock.cli.top.Top;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock top URL}: shows the flows of a running gateway in the terminal. */
@Command(
        name = "top",
        description = {
            "Shows the flows of a running gateway: the bottleneck, the load of each stage, and learned settings.",
            "Updated every second in a terminal until Ctrl-C; otherwise plain text, one screen after another."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "The line of the bottleneck stage begins with a star. NO_COLOR is obeyed.",
            "A gateway with a token needs it in the variable PENSTOCK_TOKEN.",
            "",
            "Example:  penstock top http://127.0.0.1:9090",
            "          penstock top 127.0.0.1:9090 --count 1 | less"
        })
final class TopCommand extends Subcommand {
    private static final Duration MIN_INTERVAL = Duration.ofMillis(100);

    @Parameters(
            paramLabel = "URL",
            description = "The admin address of the gateway, for instance http://127.0.0.1:9090.")
    private String url = "";

    @Option(
            names = "--every",
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "The update interval, 100ms or more. Default: ${DEFAULT-VALUE}.")
    private Duration every = Duration.ZERO;

    @Option(names = "--count", paramLabel = "N", description = "Exit after N updates. Default: until Ctrl-C.")
    private @Nullable Integer count;

    @Override
    public Integer call() throws Exception {
        if (every.compareTo(MIN_INTERVAL) < 0 || (count != null && count < 1)) {
            throw new IllegalArgumentException("--every must be 100ms or more, and --count 1 or more");
        }
        try (Top top = Top.of(url, every, count == null ? Long.MAX_VALUE : count)) {
            top.show(out(), err());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return CommandLineExit.DONE;
    }
}
