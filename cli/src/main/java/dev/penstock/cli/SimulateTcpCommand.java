package dev.penstock.cli;

import dev.penstock.cli.OptionConverters.SizeConverter;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpReport;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import dev.penstock.lab.simulate.tcp.TcpSimulatorBuilder;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code penstock simulate tcp}: a slow and faulty proxy (middlebox) in front of any server. */
@Command(
        name = "tcp",
        description =
                "Runs a proxy in front of any TCP server that drops idle connections, as firewalls and balancers do.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Kinds of idle kill: blackhole (data of both sides is discarded without notice), rst, fin. Kinds of",
            "scheduled closing: fin or rst (all open connections), cut (in the middle of data, while the phase",
            "lasts). The delay applies to data in each direction. Runs until Ctrl-C or for --for, then prints",
            "its counters.",
            "",
            "Example:  penstock simulate tcp --port 8082 --to localhost:8081 --kill-idle 5s --kill blackhole"
        })
final class SimulateTcpCommand extends Subcommand {
    @Option(
            names = "--to",
            paramLabel = "HOST:PORT",
            required = true,
            description = "The server behind the proxy; it need not run yet.")
    private String to = "";

    @Mixin
    private SimulatorOptions options = new SimulatorOptions();

    @Option(
            names = "--kill-idle",
            paramLabel = "TIME",
            description = "Kill connections without traffic for this time. Default: never.")
    private @Nullable Duration killIdle;

    @Option(
            names = "--kill",
            paramLabel = "HOW",
            defaultValue = "blackhole",
            description = "How to kill: blackhole, rst or fin. Default: ${DEFAULT-VALUE}.")
    private IdleKill kill = IdleKill.BLACKHOLE;

    @Mixin
    private DelayOptions delay = new DelayOptions();

    @Option(
            names = "--rate",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "Limit the bytes per second in each direction, for all connections together, for instance 64KB."
                            + " Default: no limit.")
    private @Nullable Long rate;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            defaultValue = "20000",
            description = "The maximum number of connections; further ones are closed. Default: ${DEFAULT-VALUE}.")
    private int maxConnections;

    @Mixin
    private ClosingOptions close = new ClosingOptions();

    @Override
    public Integer call() throws IOException {
        checkEffective();
        TcpSimulator simulator;
        try {
            simulator = plan().start();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return options.run(
                new SimulatorOptions.Running(
                        List.of(simulator.toString()),
                        () -> progress(simulator.report()),
                        () -> simulator.report().lines(),
                        simulator::close),
                out());
    }

    private void checkEffective() {
        close.checkEffective(this);
        checkEffective(
                "--close-for",
                close.has(Closing.CUT),
                "--close cut: fin and rst close the connections open at that time");
        checkEffective("--kill", killIdle != null, "--kill-idle: add for instance --kill-idle 5s");
    }

    private TcpSimulatorBuilder plan() {
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
        return close.kinds().length == 0 ? plan : plan.close(close.schedule(), close.kinds());
    }

    private TcpSimulatorBuilder server() {
        HostAndPort server = HostAndPort.parse(to, "not a server: write HOST:PORT, for instance --to localhost:8081");
        return TcpSimulator.to(server.host(), server.port());
    }

    private static long positive(long rate) {
        if (rate == 0) {
            throw new IllegalArgumentException("a rate of 0 transfers nothing: increase or remove --rate");
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
