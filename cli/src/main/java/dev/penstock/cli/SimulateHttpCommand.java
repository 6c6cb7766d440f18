package dev.penstock.cli;

import dev.penstock.cli.OptionConverters.ShareConverter;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.HttpSimulatorBuilder;
import dev.penstock.lab.simulate.SimulatorCertificate;
import dev.penstock.lab.simulate.SimulatorReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
final class SimulateHttpCommand extends Subcommand {
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

    @Option(
            names = "--tls",
            description = "Use TLS 1.3 and 1.2, with a public test certificate for localhost, 127.0.0.1 and ::1.")
    private boolean tls;

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description = "Write that certificate as PEM, for the trust store of clients (with --tls).")
    private @Nullable Path certificate;

    @Option(names = "--echo", description = "Answer with the body of the request.")
    private boolean echo;

    @Override
    public Integer call() throws IOException {
        checkEffective();
        HttpSimulatorBuilder plan = plan();
        if (tls) {
            plan.tls(SimulatorCertificate.serverContext());
        }
        if (certificate != null) {
            ResultFile.writeText(certificate, SimulatorCertificate.pem());
        }
        HttpSimulator simulator = plan.start();
        List<String> banner = new ArrayList<>(List.of(simulator.toString()));
        if (tls) {
            banner.add(
                    certificate == null
                            ? "clients must trust its certificate: write it with --tls-certificate FILE"
                            : "clients must trust its certificate in " + certificate);
        }
        return options.run(
                new SimulatorOptions.Running(
                        banner,
                        () -> progress(simulator.report()),
                        () -> simulator.report().lines(),
                        simulator::close),
                out());
    }

    private void checkEffective() {
        close.checkEffective(this);
        checkEffective("--cut-share", close.has(Closing.CUT), "--close cut");
        checkEffective("--error-status", errors > 0 || line != null, "--errors: add for instance --errors 5%");
        checkEffective("--tls-certificate", tls, "--tls: add --tls");
        MeasuringOptions.checkWritable(certificate);
        checkEffective("--line", workers != null, "--workers: add for instance --workers 10");
    }

    private HttpSimulatorBuilder plan() {
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
