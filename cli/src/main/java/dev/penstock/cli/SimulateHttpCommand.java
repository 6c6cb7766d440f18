package dev.penstock.cli;

import dev.penstock.Durations;
import dev.penstock.Ticker;
import dev.penstock.lab.report.LiveLine;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.FaultSchedule;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.HttpSimulatorBuilder;
import dev.penstock.lab.simulate.SimulatorReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code penstock simulate http}: an HTTP/1.1 server that is slow and faulty on purpose. */
@Command(
        name = "http",
        description = "Runs an HTTP server that answers late, closes connections and counts what it receives.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Ways to close: header (answers say so), fin or rst (idle connections), cut (in the middle of a",
            "transaction that was received). Runs until Ctrl-C or for --for, then prints what it counted.",
            "",
            "Example:  penstock simulate http --port 8081 --delay 1s --close fin --close-every 10s --close-for 1s"
        })
public final class SimulateHttpCommand implements Callable<Integer> {
    private static final long SECOND = 1_000_000_000;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "0",
            description = "Where to listen. Default: a free port.")
    private int port;

    @Option(names = "--host", paramLabel = "ADDRESS", description = "The address to listen on. Default: loopback.")
    private @Nullable String host;

    @Option(
            names = "--delay",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "0s",
            description = "From a request to its answer: the middle of the distribution. Default: none.")
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

    @Option(
            names = "--close",
            paramLabel = "HOW",
            split = ",",
            description = "Close connections: header, fin, rst or cut; several, as in fin,rst, take turns.")
    private List<Closing> close = List.of();

    @Option(
            names = "--close-every",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "10s",
            description = "Begin to close every so often. Default: ${DEFAULT-VALUE}.")
    private Duration closeEvery = Duration.ZERO;

    @Option(
            names = "--close-for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "1s",
            description = "Close for so long. Default: ${DEFAULT-VALUE}.")
    private Duration closeFor = Duration.ZERO;

    @Option(
            names = "--cut-share",
            paramLabel = "SHARE",
            converter = ShareConverter.class,
            defaultValue = "100%",
            description = "Cut only this share of the requests (with --close cut). Default: all.")
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
            description = "The status of those. Default: ${DEFAULT-VALUE}.")
    private int errorStatus;

    @Mixin
    private SimulatorTlsOptions tls = new SimulatorTlsOptions();

    @Option(names = "--echo", description = "Answer with the body that was sent.")
    private boolean echo;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Where chance begins. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "End by itself after so long. Default: runs until it is stopped.")
    private @Nullable Duration lasting;

    @Option(names = "--quiet", description = "Show no progress.")
    private boolean quiet;

    @Spec
    private CommandSpec spec;

    /** A command without arguments yet; picocli fills them in. */
    public SimulateHttpCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        HttpSimulatorBuilder plan;
        try {
            checkNothingIsIgnored(spec.commandLine().getParseResult());
            tls.check(spec.commandLine());
            plan = plan();
        } catch (IllegalArgumentException | UnknownHostException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        tls.apply(plan);
        HttpSimulator simulator = plan.start();
        LiveLine live = LiveLine.onStandardError(quiet);
        Thread stopped = new Thread(() -> {
            finish(simulator, live, out);
            // The signal was the wish to end, so this end is a good one; the default would be 128 and its number.
            Runtime.getRuntime().halt(0);
        });
        Runtime.getRuntime().addShutdownHook(stopped);
        out.println("listening on " + simulator);
        tls.announce(out);
        out.flush();
        watch(simulator, live);
        Runtime.getRuntime().removeShutdownHook(stopped);
        finish(simulator, live, out);
        return 0;
    }

    private void checkNothingIsIgnored(ParseResult given) {
        for (String option : List.of("--close-every", "--close-for", "--cut-share")) {
            if (close.isEmpty() && given.hasMatchedOption(option)) {
                throw new IllegalArgumentException(
                        option + " does nothing without --close: say how, as in --close fin");
            }
        }
        if (!close.contains(Closing.CUT) && given.hasMatchedOption("--cut-share")) {
            throw new IllegalArgumentException("--cut-share does nothing without --close cut");
        }
        if (errors == 0 && given.hasMatchedOption("--error-status")) {
            throw new IllegalArgumentException("--error-status does nothing without --errors: say how many, as in 5%");
        }
    }

    private HttpSimulatorBuilder plan() throws UnknownHostException {
        HttpSimulatorBuilder plan = HttpSimulator.builder()
                .port(port)
                .delay(distribution())
                .echo(echo)
                .errors(errors, errorStatus)
                .cutOnly(cutShare, Long.MAX_VALUE)
                .random(new SplittableRandom(seed));
        if (host != null) {
            plan.address(address(host));
        }
        return close.isEmpty()
                ? plan
                : plan.close(new FaultSchedule(closeEvery, closeFor), close.toArray(Closing[]::new));
    }

    private Delay distribution() {
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

    private static InetAddress address(String host) throws UnknownHostException {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new UnknownHostException("cannot find the address \"" + host + "\": give one of this machine");
        }
    }

    private void watch(HttpSimulator simulator, LiveLine live) {
        Ticker ticker = Ticker.SYSTEM;
        long start = ticker.nanos();
        long left = lasting == null ? Long.MAX_VALUE : Durations.nanos(lasting);
        for (long elapsed = 0; elapsed < left; elapsed = ticker.nanos() - start) {
            SimulatorReport report = simulator.report();
            live.show(
                    start + elapsed,
                    "%ds  %,d received  in flight %,d  %,d connections"
                            .formatted(
                                    elapsed / SECOND,
                                    report.requests().received(),
                                    report.requests().inFlight(),
                                    report.connections().open()));
            ticker.parkUntil(start + elapsed + Math.min(SECOND, left - elapsed));
        }
    }

    private static void finish(HttpSimulator simulator, LiveLine live, PrintWriter out) {
        simulator.close();
        live.close();
        simulator.report().lines().forEach(out::println);
        out.flush();
    }
}
