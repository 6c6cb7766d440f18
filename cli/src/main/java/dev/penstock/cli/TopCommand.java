package dev.penstock.cli;

import dev.penstock.cli.top.Top;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock top URL}: the flows of a running gateway on a terminal. */
@Command(
        name = "top",
        description = {
            "Shows the flows of a running gateway: which stage binds, what each has to do, what was learned.",
            "Rewritten every second on a terminal until Ctrl-C; elsewhere plain text, a screen after the other."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "The line of the stage that binds begins with a star. NO_COLOR is obeyed.",
            "",
            "Example:  penstock top http://127.0.0.1:9090",
            "          penstock top 127.0.0.1:9090 --count 1 | less"
        })
public final class TopCommand implements Callable<Integer> {
    private static final Duration SHORTEST = Duration.ofMillis(100);

    @Parameters(paramLabel = "URL", description = "The admin pages of the gateway, for instance http://127.0.0.1:9090.")
    private String url = "";

    @Option(
            names = "--every",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "1s",
            description = "How often to look, 100ms or more. Default: ${DEFAULT-VALUE}.")
    private Duration every = Duration.ZERO;

    @Option(names = "--count", paramLabel = "N", description = "Look so often, then end. Default: until Ctrl-C.")
    private @Nullable Integer count;

    @Spec
    private CommandSpec spec;

    /** A command without arguments yet; picocli fills them in. */
    public TopCommand() {}

    @Override
    public Integer call() throws Exception {
        if (every.compareTo(SHORTEST) < 0 || (count != null && count < 1)) {
            throw new ParameterException(spec.commandLine(), "--every is 100ms or more, and --count 1 or more");
        }
        Top top;
        try {
            top = Top.of(url, every, count == null ? Long.MAX_VALUE : count);
        } catch (IllegalArgumentException noUrl) {
            throw new ParameterException(spec.commandLine(), String.valueOf(noUrl.getMessage()), noUrl);
        }
        try (top) {
            top.show(spec.commandLine().getOut(), spec.commandLine().getErr());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return CommandLineExit.DONE;
    }
}
