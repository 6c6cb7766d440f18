package dev.penstock.cli;

import dev.penstock.cli.OptionConverters.ShareConverter;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.HttpSimulatorBuilder;
import dev.penstock.lab.simulate.SimulatorReport;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code penstock simulate http}: a slow and faulty HTTP/1.1 server. */
@Command(
        name = "http",
        description = "Runs an HTTP server that answers late, closes connections and counts what it receives.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Kinds of closing: header (Connection: close in answers), fin or rst (idle connections), cut (in",
            "the middle of a received transaction). Runs until Ctrl-C or for --for, then prints its counters.",
            "",
            "Example:  penstock simulate http --port 8081 --delay 1s --close fin --close-every 10s --close-for 1s"
        })
public final class SimulateHttpCommand implements Callable<Integer> {
    @Mixin
    private SimulatorOptions options = new SimulatorOptions();

    @Mixin
    private DelayOptions delay = new DelayOptions();

    @Mixin
    private ClosingOptions close = new ClosingOptions();

    @Option(
            names = "--cut-share",
            paramLabel = "SHARE",
            converter = ShareConverter.class,
            defaultValue = "100%",
            description = "Cut this share of the requests (with --close cut). Default: all.")
    private double cutShare;

    @Option(
            names = "--errors",
            paramLabel = "SHARE",
            converter = ShareConverter.class,
            defaultValue = "0%",
            description = "Answer this share with an error, for instance 5%%. Default: none.")
    private double errors;

    @Option(
            names = "--error-status",
            paramLabel = "N",
            defaultValue = "503",
            description = "The status of errors. Default: ${DEFAULT-VALUE}.")
    private int errorStatus;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Serve at most N requests concurrently, queue the others. Default: no limit.")
    private @Nullable Integer workers;

    @Option(
            names = "--line",
            paramLabel = "N",
            description = "The queue length (with --workers); answer others with an error. Default: no limit.")
    private @Nullable Integer line;

    @Option(
            names = "--contention",
            paramLabel = "SIGMA",
            defaultValue = "0",
            description = "Each concurrent call increases the delay by this share. Default: none.")
    private double contention;

    @Option(
            names = "--coherence",
            paramLabel = "KAPPA",
            defaultValue = "0",
            description =
                    "Each pair of concurrent calls increases the delay by this share (universal scalability law). Default: none.")
    private double coherence;

    @Mixin
    private SimulatorTlsOptions tls = new SimulatorTlsOptions();

    @Option(names = "--echo", description = "Answer with the body of the request.")
    private boolean echo;

    @Spec
    private CommandSpec spec;

    /** For picocli. */
    public SimulateHttpCommand() {}

    @Override
    public Integer call() throws IOException {
        HttpSimulatorBuilder plan;
        try {
            checkEffective(spec.commandLine().getParseResult());
            tls.check(spec.commandLine());
            plan = plan();
        } catch (IllegalArgumentException | UnknownHostException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        tls.apply(plan);
        HttpSimulator simulator = plan.start();
        List<String> banner = new ArrayList<>(tls.banner());
        banner.addFirst(simulator.toString());
        return options.run(
                new SimulatorOptions.Running(
                        banner,
                        () -> progress(simulator.report()),
                        () -> simulator.report().lines(),
                        simulator::close),
                spec.commandLine().getOut());
    }

    private void checkEffective(ParseResult given) {
        close.checkEffective(given);
        if (!close.has(Closing.CUT) && given.hasMatchedOption("--cut-share")) {
            throw new IllegalArgumentException("--cut-share has no effect without --close cut");
        }
        if (errors == 0 && line == null && given.hasMatchedOption("--error-status")) {
            throw new IllegalArgumentException(
                    "--error-status has no effect without --errors: add for instance --errors 5%");
        }
        if (workers == null && line != null) {
            throw new IllegalArgumentException("--line has no effect without --workers: add for instance --workers 10");
        }
    }

    private HttpSimulatorBuilder plan() throws UnknownHostException {
        HttpSimulatorBuilder plan = HttpSimulator.builder()
                .port(options.port())
                .address(options.address())
                .delay(delay.delay())
                .echo(echo)
                .errors(errors, errorStatus)
                .cutOnly(cutShare, Long.MAX_VALUE)
                .workers(workers == null ? Integer.MAX_VALUE : workers, line == null ? Integer.MAX_VALUE : line)
                .contention(contention, coherence)
                .random(options.random());
        return close.kinds().length == 0 ? plan : plan.close(close.schedule(), close.kinds());
    }

    private static String progress(SimulatorReport report) {
        return "%,d received  in flight %,d  %,d connections"
                .formatted(
                        report.requests().received(),
                        report.requests().inFlight(),
                        report.connections().open());
    }
}
