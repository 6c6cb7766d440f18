package dev.penstock.cli;

import dev.penstock.lab.datagram.DatagramProbe;
import dev.penstock.lab.datagram.LossEdge;
import dev.penstock.lab.datagram.ProbeWords;
import dev.penstock.lab.measure.KernelSockets;
import dev.penstock.lab.report.LiveLine;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.report.ResultTable;
import dev.penstock.udp.socket.KernelMemory;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock probe}: measures a dependency, and recommends settings with their reasons. */
@Command(
        name = "probe",
        description =
                "Measures a dependency and recommends settings: over UDP, the burst and the rate at which loss starts.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "The peer has to answer each datagram with one that begins with the same 8 bytes. One that is not on",
            "this machine is only sent 10 a second, unless --yes says that it may be pushed until it loses some.",
            "",
            "Example:  penstock probe udp://127.0.0.1:9000 --max-burst 20000 --for 30s"
        })
public final class ProbeCommand implements Callable<Integer> {
    private static final double GENTLY = 10;
    private static final double AT_HOME = 50;

    @Parameters(paramLabel = "TARGET", description = "What to measure, for instance udp://127.0.0.1:9000.")
    private String target = "";

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "1m",
            description = "About how long to take at most. Default: ${DEFAULT-VALUE}.")
    private Duration lasting = Duration.ZERO;

    @Option(
            names = "--max-rate",
            paramLabel = "N",
            defaultValue = "200000",
            description = "Send no more than N a second; 0 looks for no rate. Default: ${DEFAULT-VALUE}.")
    private int maxRate;

    @Option(
            names = "--max-burst",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Send no more than N at once; 0 looks for no burst. Default: ${DEFAULT-VALUE}.")
    private int maxBurst;

    @Option(names = "--yes", description = "Do so to a peer that is not on this machine, too.")
    private boolean yes;

    @Mixin
    private DatagramOptions datagrams = new DatagramOptions();

    @Mixin
    private MeasuringOptions measuring = new MeasuringOptions();

    @Spec
    private CommandSpec spec;

    /** A command without arguments yet; picocli fills them in. */
    public ProbeCommand() {}

    @Override
    public Integer call() throws Exception {
        measuring.check(spec.commandLine());
        return StopSignal.guard(spec.commandLine().getErr(), this::probe);
    }

    private int probe() throws IOException, InterruptedException {
        InetSocketAddress peer;
        DatagramProbe probe;
        try {
            if (!target.startsWith(HostAndPort.UDP)) {
                throw new IllegalArgumentException("\"" + target
                        + "\" cannot be measured yet: give udp://HOST:PORT, for instance udp://127.0.0.1:9000");
            }
            peer = HostAndPort.ofUdp(target);
            probe = plan(peer);
            datagrams.to(peer).open().close(); // whatever is wrong with them is told now
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        return report(found(probe), peer);
    }

    private boolean mayPush(InetSocketAddress peer) {
        return yes || peer.getAddress().isLoopbackAddress();
    }

    private DatagramProbe plan(InetSocketAddress peer) {
        if (maxRate < 0 || maxBurst < 0 || lasting.isZero()) {
            throw new IllegalArgumentException("--max-rate and --max-burst are 0 or more, --for is above 0");
        }
        DatagramProbe probe = DatagramProbe.through(
                        () -> new VolleyPort(datagrams.to(peer).open()))
                .peerDrops(() -> KernelSockets.dropped(peer))
                .gently(Math.min(
                        maxRate == 0 ? GENTLY : maxRate, peer.getAddress().isLoopbackAddress() ? AT_HOME : GENTLY))
                .lasting(lasting);
        return mayPush(peer) ? probe.upTo(maxBurst, maxRate) : probe;
    }

    private DatagramProbe.Found found(DatagramProbe probe) throws IOException, InterruptedException {
        try (LiveLine live = measuring.live()) {
            return probe.watch(line -> live.show(System.nanoTime(), line)).run();
        }
    }

    private int report(DatagramProbe.Found found, InetSocketAddress peer) throws IOException {
        ProbeWords words = new ProbeWords(
                found, peer.getPort(), maxBurst, count -> KernelMemory.forDatagrams(count, datagrams.size()));
        ResultTable table =
                new ResultTable().add("round trip", found.roundTrip().load());
        words.findings().forEach(table::note);
        PrintWriter out = spec.commandLine().getOut();
        words.findings().forEach(out::println);
        if (!mayPush(peer)) {
            out.println(
                    "bursts and rates were not tried, since the peer is not on this machine: give --yes when it may be"
                            + " pushed until it loses some");
        }
        recommend(out, "write into the flow file:", words.yaml());
        recommend(out, "run as root, and put it into /etc/sysctl.d:", words.sysctl());
        out.flush();
        measuring.write(() -> file(found, words), table);
        boolean answered = found.roundTrip().load().counts().right() > 0;
        return answered && found.roundTrip().notKept() == null ? CommandLineExit.DONE : CommandLineExit.FAILED;
    }

    private static void recommend(PrintWriter out, String what, List<String> lines) {
        if (!lines.isEmpty()) {
            out.println(what);
            lines.forEach(line -> out.println("  " + line));
        }
    }

    private ResultFile file(DatagramProbe.Found found, ProbeWords words) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("findings", String.join("\n", words.findings()));
        settings.put("recommended", String.join("\n", words.yaml()));
        settings.put("sysctl", String.join("\n", words.sysctl()));
        Map<String, Double> metrics = new LinkedHashMap<>(found.roundTrip().metrics());
        edge(metrics, "burst", found.burst());
        edge(metrics, "rate", found.rate());
        return ResultFile.ofLoad(
                "probe",
                Penstock.version(),
                Penstock.commandLine(spec),
                measuring.seed(),
                target,
                settings,
                found.roundTrip().load(),
                metrics);
    }

    private static void edge(Map<String, Double> metrics, String name, @Nullable LossEdge edge) {
        if (edge != null) {
            metrics.put(name + "_no_loss", edge.well());
            edge.tooMuch().ifPresent(level -> metrics.put(name + "_lossy", level));
        }
    }
}
