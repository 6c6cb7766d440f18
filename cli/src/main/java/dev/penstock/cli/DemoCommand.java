package dev.penstock.cli;

import dev.penstock.cli.OptionConverters.DurationConverter;
import dev.penstock.lab.report.LiveLine;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.report.ResultTable;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code penstock demo}: the main use case, end to end, in one process. */
@Command(
        name = "demo",
        description = {
            "Sends payments through a slow and faulty gateway, and accounts for every one.",
            "",
            "Starts a simulated gateway that answers in 1 s and closes connections every 10 s for 1 s, one flow in front of "
                    + "it, and a load of 200 payments per second over HTTP; then reports how each payment ended."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  penstock demo --for 30s --no-browser"})
final class DemoCommand implements Callable<Integer> {
    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description = "The duration of the load, 1s to 60m. Default: ${DEFAULT-VALUE}.")
    private Duration lasting = Duration.ZERO;

    @Option(names = "--no-browser", description = "Do not open the dashboard in a browser.")
    private boolean noBrowser;

    @Mixin
    private MeasuringOptions measuring = new MeasuringOptions();

    @Spec
    private CommandSpec spec;

    DemoCommand() {}

    @Override
    public Integer call() throws Exception {
        LogSetup.use(LogSetup.Format.TEXT, CommandLineExit.debug(spec));
        measuring.check(spec.commandLine());
        return StopSignal.guard(spec.commandLine().getErr(), this::demo);
    }

    private int demo() throws Exception {
        Demo demo = new Demo(time(), measuring.seed(), !noBrowser);
        DemoReport report;
        try (LiveLine live = measuring.live()) {
            report = demo.run(spec.commandLine().getErr(), live);
        }
        spec.commandLine().getOut().print(report.text());
        spec.commandLine().getOut().flush();
        measuring.write(() -> file(report), new ResultTable().add("callers", report.load()));
        return report.failure() == null ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private Duration time() {
        if (lasting.compareTo(Duration.ofSeconds(1)) < 0 || lasting.compareTo(Duration.ofHours(1)) > 0) {
            throw new ParameterException(
                    spec.commandLine(), "--for must be 1s to 60m, not " + Durations.format(lasting));
        }
        return lasting;
    }

    private ResultFile file(DemoReport report) {
        long seed = measuring.seed();
        return report.file("penstock demo --for " + lasting.toSeconds() + "s --seed " + seed, seed);
    }
}
