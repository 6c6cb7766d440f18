package dev.penstock.cli;

import dev.penstock.lab.datagram.DatagramProbe;
import dev.penstock.lab.datagram.DatagramSentences;
import dev.penstock.lab.datagram.LossEdge;
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
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** A probe of a UDP peer: the burst and the rate at which loss starts. Not thread-safe. */
final class UdpProbe {
    /** The default maximum rate, in datagrams per second. */
    static final int MAX_RATE = 200_000;

    private static final double REMOTE_RATE = 10;
    private static final double LOCAL_RATE = 50;

    private final InetSocketAddress peer;
    private final DatagramOptions datagrams;
    private final int maxBurst;
    private final int maxRate;
    private final boolean yes;

    /**
     * Creates a probe of a target.
     *
     * @param maxBurst 0 skips the burst test
     * @param maxRate 0 skips the rate test
     * @param yes whether a remote peer may be overloaded
     * @throws IllegalArgumentException invalid options, with a one-line remedy
     */
    UdpProbe(String target, DatagramOptions datagrams, int maxBurst, int maxRate, boolean yes) {
        this.peer = HostAndPort.ofUdp(target);
        this.datagrams = datagrams;
        this.maxBurst = maxBurst;
        this.maxRate = maxRate;
        this.yes = yes;
        if (maxRate < 0 || maxBurst < 0) {
            throw new IllegalArgumentException("--max-rate and --max-burst must be 0 or more");
        }
    }

    /** Opens and closes a socket, so that invalid options are reported now. */
    void check() throws IOException {
        datagrams.open(peer).close();
    }

    private boolean mayOverload() {
        return yes || peer.getAddress().isLoopbackAddress();
    }

    private DatagramProbe plan(Duration lasting) {
        DatagramProbe probe = DatagramProbe.through(() -> datagrams.open(peer))
                .peerDrops(() -> KernelSockets.dropped(peer))
                .gently(Math.min(
                        maxRate == 0 ? REMOTE_RATE : maxRate,
                        peer.getAddress().isLoopbackAddress() ? LOCAL_RATE : REMOTE_RATE))
                .lasting(lasting);
        return mayOverload() ? probe.upTo(maxBurst, maxRate) : probe;
    }

    /** Runs the probe, prints the findings, and writes the requested files. */
    int run(Duration lasting, MeasuringOptions measuring, CommandSpec spec) throws IOException, InterruptedException {
        DatagramProbe.Found found;
        try (LiveLine live = measuring.live()) {
            found = plan(lasting)
                    .watch(line -> live.show(System.nanoTime(), line))
                    .run();
        }
        DatagramSentences sentences = new DatagramSentences(
                found, peer.getPort(), maxBurst, count -> KernelMemory.forDatagrams(count, datagrams.size()));
        ResultTable table =
                new ResultTable().add("round trip", found.roundTrip().load());
        sentences.findings().forEach(table::note);
        PrintWriter out = spec.commandLine().getOut();
        sentences.findings().forEach(out::println);
        if (!mayOverload()) {
            out.println("bursts and rates were not tested, because the peer is not on this machine: add --yes to allow"
                    + " overloading it");
        }
        ProbeReport.recommend(out, "add to the flow file:", sentences.yaml());
        ProbeReport.recommend(out, "run as root, and add to a file in /etc/sysctl.d:", sentences.sysctl());
        measuring.write(() -> file(found, sentences, measuring.seed(), spec), table.markdown());
        boolean answered = found.roundTrip().load().counts().right() > 0;
        return answered && found.roundTrip().senderProblem() == null ? CommandLineExit.DONE : CommandLineExit.FAILED;
    }

    private ResultFile file(DatagramProbe.Found found, DatagramSentences sentences, long seed, CommandSpec spec) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("findings", String.join("\n", sentences.findings()));
        settings.put("recommended", String.join("\n", sentences.yaml()));
        settings.put("sysctl", String.join("\n", sentences.sysctl()));
        Map<String, Double> metrics = new LinkedHashMap<>(found.roundTrip().metrics());
        edge(metrics, "burst", found.burst());
        edge(metrics, "rate", found.rate());
        return ResultFile.ofLoad(
                "probe",
                Penstock.version(),
                Penstock.commandLine(spec),
                seed,
                "udp://" + peer.getHostString() + ":" + peer.getPort(),
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
