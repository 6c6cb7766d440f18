package dev.penstock.cli;

import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpReport;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import dev.penstock.lab.simulate.tcp.TcpSimulatorBuilder;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
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

/** {@code penstock simulate tcp}: a middlebox in front of any server that is slow, narrow and forgetful on purpose. */
@Command(
        name = "tcp",
        description =
                "Runs a proxy in front of any TCP server that forgets idle connections, as firewalls and balancers do.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Ways to kill idle connections: blackhole (what either side sends is taken and thrown away, neither",
            "is told), rst, fin. Ways to close on a timeline: fin or rst (all that are open), cut (in the",
            "middle of bytes, as long as it lasts). The delay is of bytes, each way. Runs until Ctrl-C or for",
            "--for, then prints what it counted.",
            "",
            "Example:  penstock simulate tcp --port 8082 --to localhost:8081 --kill-idle 5s --kill blackhole"
        })
public final class SimulateTcpCommand implements Callable<Integer> {
    @Option(
            names = "--to",
            paramLabel = "HOST:PORT",
            required = true,
            description = "The server to stand in front of; it need not run yet.")
    private String to = "";

    @Mixin
    private SimulatorOptions options = new SimulatorOptions();

    @Option(
            names = "--kill-idle",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Kill connections through which no byte comes or goes for so long. Default: never.")
    private @Nullable Duration killIdle;

    @Option(
            names = "--kill",
            paramLabel = "HOW",
            defaultValue = "blackhole",
            description = "How: blackhole, rst or fin. Default: ${DEFAULT-VALUE}.")
    private IdleKill kill = IdleKill.BLACKHOLE;

    @Mixin
    private DelayOptions delay = new DelayOptions();

    @Option(
            names = "--rate",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Pass so many bytes a second each way, of all connections together, for instance 64KB."
                    + " Default: no limit.")
    private @Nullable Long rate;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Hold so many at once, and close those beyond. Default: ${DEFAULT-VALUE}.")
    private int maxConnections;

    @Mixin
    private ClosingOptions close = new ClosingOptions();

    @Spec
    private CommandSpec spec;

    /** A command without arguments yet; picocli fills them in. */
    public SimulateTcpCommand() {}

    @Override
    public Integer call() throws IOException {
        TcpSimulator simulator;
        try {
            checkNothingIsIgnored(spec.commandLine().getParseResult());
            simulator = plan().start();
        } catch (IllegalArgumentException | UnknownHostException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        return options.run(
                new SimulatorOptions.Running(
                        List.of(simulator.toString()),
                        () -> progress(simulator.report()),
                        () -> simulator.report().lines(),
                        simulator::close),
                spec.commandLine().getOut());
    }

    private void checkNothingIsIgnored(ParseResult given) {
        close.checkNothingIsIgnored(given);
        if (!close.has(Closing.CUT) && given.hasMatchedOption("--close-for")) {
            throw new IllegalArgumentException(
                    "--close-for does nothing without --close cut: fin and rst close what is open when it begins");
        }
        if (killIdle == null && given.hasMatchedOption("--kill")) {
            throw new IllegalArgumentException("--kill does nothing without --kill-idle: say after how long, as in 5s");
        }
    }

    private TcpSimulatorBuilder plan() throws UnknownHostException {
        TcpSimulatorBuilder plan = server().port(options.port())
                .address(options.address())
                .delay(delay.delay())
                .maxConnections(maxConnections)
                .random(options.random());
        if (killIdle != null) {
            plan.killIdle(killIdle, kill);
        }
        if (rate != null) {
            plan.bytesPerSecond(positive(rate));
        }
        return close.ways().length == 0 ? plan : plan.close(close.schedule(), close.ways());
    }

    private TcpSimulatorBuilder server() {
        HostAndPort server = HostAndPort.parse(to, "no server: write HOST:PORT, for instance --to localhost:8081");
        return TcpSimulator.to(server.host(), server.port());
    }

    private static long positive(long rate) {
        if (rate == 0) {
            throw new IllegalArgumentException("a rate of 0 passes nothing: give more, or leave --rate out");
        }
        return rate;
    }

    private static String progress(TcpReport report) {
        return "%,d connections  %,d killed idle  %,d bytes to the server, %,d back"
                .formatted(
                        report.connections().open(),
                        report.connections().killed(),
                        report.toServer().passed(),
                        report.toClient().passed());
    }
}
