package dev.penstock.cli;

import dev.penstock.lab.datagram.DatagramProbe;
import dev.penstock.lab.datagram.LossEdge;
import dev.penstock.lab.datagram.DatagramSentences;
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

/** A probe of a peer that answers datagrams: the burst and the rate at which loss starts. For one thread. */
final class UdpProbe {
    /** The most datagrams a second, where nothing else is said. */
    static final int MOST_RATE = 200_000;

    private static final double GENTLY = 10;
    private static final double AT_HOME = 50;

    private final InetSocketAddress peer;
    private final DatagramOptions datagrams;
    private final int maxBurst;
    private final int maxRate;
    private final boolean yes;

    /**
     * A probe of a target.
     *
     * @param maxBurst 0 looks for no burst
     * @param maxRate 0 looks for no rate
     * @param yes whether a peer that is not on this machine may be pushed until it loses some
     * @throws IllegalArgumentException when something cannot be, in one line that says what to do
     */
    UdpProbe(String target, DatagramOptions datagrams, int maxBurst, int maxRate, boolean yes) {
        this.peer = HostAndPort.ofUdp(target);
        this.datagrams = datagrams;
        this.maxBurst = maxBurst;
        this.maxRate = maxRate;
        this.yes = yes;
        if (maxRate < 0 || maxBurst < 0) {
            throw new IllegalArgumentException("--max-rate and --max-burst are 0 or more");
        }
    }

    /** Opens a socket and closes it: whatever is wrong with the options is told now. */
    void check() throws IOException {
        datagrams.to(peer).open().close();
    }

    private boolean mayPush() {
        return yes || peer.getAddress().isLoopbackAddress();
    }

    private DatagramProbe plan(Duration lasting) {
        DatagramProbe probe = DatagramProbe.through(
                        () -> new UdpDatagramPort(datagrams.to(peer).open()))
                .peerDrops(() -> KernelSockets.dropped(peer))
                .gently(Math.min(
                        maxRate == 0 ? GENTLY : maxRate, peer.getAddress().isLoopbackAddress() ? AT_HOME : GENTLY))
                .lasting(lasting);
        return mayPush() ? probe.upTo(maxBurst, maxRate) : probe;
    }

    /** Runs it, prints what it found, and writes that into the files that were asked for. */
    int run(Duration lasting, MeasuringOptions measuring, CommandSpec spec) throws IOException, InterruptedException {
        DatagramProbe.Found found;
        try (LiveLine live = measuring.live()) {
            found = plan(lasting)
                    .watch(line -> live.show(System.nanoTime(), line))
                    .run();
        }
        DatagramSentences words = new DatagramSentences(
                found, peer.getPort(), maxBurst, count -> KernelMemory.forDatagrams(count, datagrams.size()));
        ResultTable table =
                new ResultTable().add("round trip", found.roundTrip().load());
        words.findings().forEach(table::note);
        PrintWriter out = spec.commandLine().getOut();
        words.findings().forEach(out::println);
        if (!mayPush()) {
            out.println(
                    "bursts and rates were not tried, since the peer is not on this machine: give --yes when it may be"
                            + " pushed until it loses some");
        }
        ProbeReport.recommend(out, "write into the flow file:", words.yaml());
        ProbeReport.recommend(out, "run as root, and put it into /etc/sysctl.d:", words.sysctl());
        out.flush();
        measuring.write(() -> file(found, words, measuring.seed(), spec), table);
        boolean answered = found.roundTrip().load().counts().right() > 0;
        return answered && found.roundTrip().senderProblem() == null ? CommandLineExit.DONE : CommandLineExit.FAILED;
    }

    private ResultFile file(DatagramProbe.Found found, DatagramSentences words, long seed, CommandSpec spec) {
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
