package dev.penstock.cli;

import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.report.LiveLine;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.report.ResultTable;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
        footer = {"", "Examples:", "  penstock demo --for 30s --no-browser", "  penstock demo --fleet --html fleet.html"
        })
final class DemoCommand extends Subcommand {
    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "The duration of the load, 1s to 60m. Default: 30s, with --fleet 60s.")
    private @Nullable Duration lasting;

    @Option(
            names = "--fleet",
            description =
                    "Three gateways on one Kafka broker and one PostgreSQL database, behind a balancer and in front of a "
                            + "target that refuses more than 100 calls at once; every 10 s one is killed and started again.")
    private boolean fleet;

    @Option(
            names = "--kafka",
            paramLabel = "HOST:PORT",
            defaultValue = FleetDemo.DEFAULT_KAFKA,
            description = "A Kafka broker, for --fleet. Default: ${DEFAULT-VALUE}.")
    private String kafka = FleetDemo.DEFAULT_KAFKA;

    @Option(
            names = "--store",
            paramLabel = "URL",
            defaultValue = FleetDemo.DEFAULT_STORE,
            description = "A PostgreSQL database, for --fleet. Default: ${DEFAULT-VALUE}.")
    private String store = FleetDemo.DEFAULT_STORE;

    @Option(names = "--no-browser", description = "Do not open the dashboard in a browser.")
    private boolean noBrowser;

    @Mixin
    private MeasuringOptions measuring = new MeasuringOptions();

    @Override
    public Integer call() throws Exception {
        LogSetup.use(LogSetup.Format.TEXT, Penstock.isDebug(spec));
        measuring.check();
        checkEffective("--kafka", fleet, "--fleet");
        checkEffective("--store", fleet, "--fleet");
        return StopSignal.guard(this, fleet ? this::fleet : this::demo);
    }

    private int fleet() throws Exception {
        FleetDemo demo = new FleetDemo(time(), measuring.seed(), kafka, store);
        FleetReport report;
        try (LiveLine live = measuring.live()) {
            report = demo.run(err(), live);
        }
        String command = "penstock demo --fleet --for %ds --seed %d".formatted(time().toSeconds(), measuring.seed());
        return written(
                report.text(),
                () -> report.file(command, measuring.seed()),
                "accepted",
                report.load(),
                report.failure());
    }

    private int written(String text, Supplier<ResultFile> file, String name, LoadResult load, @Nullable String failure)
            throws IOException {
        out().print(text);
        measuring.write(file, new ResultTable().add(name, load).markdown());
        return failure == null ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private int demo() throws Exception {
        Demo demo = new Demo(time(), measuring.seed(), !noBrowser);
        DemoReport report;
        try (LiveLine live = measuring.live()) {
            report = demo.run(err(), live);
        }
        return written(report.text(), () -> file(report), "callers", report.load(), report.failure());
    }

    private Duration time() {
        Duration time = lasting == null ? Duration.ofSeconds(fleet ? 60 : 30) : lasting;
        if (time.compareTo(Duration.ofSeconds(1)) < 0 || time.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("--for must be 1s to 60m, not " + Durations.format(time));
        }
        return time;
    }

    private ResultFile file(DemoReport report) {
        long seed = measuring.seed();
        return report.file("penstock demo --for " + time().toSeconds() + "s --seed " + seed, seed);
    }
}
