package dev.penstock.cli;

import dev.penstock.cli.probe.SettingsLibrary;
import dev.penstock.lab.probe.Probe;
import dev.penstock.lab.probe.ProbeBudget;
import dev.penstock.lab.probe.ProbeFindings;
import dev.penstock.lab.probe.ProbePeer;
import dev.penstock.lab.report.LiveLine;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock probe}: measures a dependency, and recommends settings with their reasons. */
@Command(
        name = "probe",
        description = "Measures a dependency, says what holds it back, and recommends settings with their reasons.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "It finds the round trip, how many calls at once are worth having, after what time idle connections are",
            "killed and how, whether batches pay, and over UDP the burst and the rate at which loss starts. What is asked",
            "is harmless unless you say otherwise: GET, select 1, a connection. One that is not on this machine is asked",
            "10 times a second and no more, unless you agree.",
            "",
            "Example:  penstock probe https://gateway.example/v1/status --for 2m --for-httpclient",
            "          penstock probe 'jdbc:postgresql://db.example/test?user=me' --for-hikari --for-c3p0",
            "          penstock probe jms:tcp://127.0.0.1:61616 --queue probe --yes --for-spring-jms",
            "          penstock probe tcp://127.0.0.1:6379 --send 'PING\\r\\n' --for-sysctl",
            "          penstock probe udp://127.0.0.1:9000 --max-burst 20000 --for 30s"
        })
public final class ProbeCommand implements Callable<Integer> {
    private static final int AWAY_RATE = 10;
    private static final int HOME_RATE = 2_000;
    private static final int AWAY_CONNECTIONS = 64;
    private static final int HOME_CONNECTIONS = 200;

    @Parameters(
            paramLabel = "TARGET",
            description = "What to measure: http(s)://..., jdbc:..., jms:tcp://HOST:PORT, jms:amqp://HOST:PORT,"
                    + " tcp://HOST:PORT or udp://HOST:PORT.")
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
            description = "Ask no more than N times a second. Default: 10, and 2000 on this machine; udp: 200000, and 0"
                    + " looks for no rate.")
    private @Nullable Integer maxRate;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            description = "Have no more than N connections. Default: 64, and 200 on this machine.")
    private @Nullable Integer maxConnections;

    @Option(
            names = "--max-burst",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Send no more than N at once; 0 looks for no burst (udp). Default: ${DEFAULT-VALUE}.")
    private int maxBurst;

    @Option(
            names = "--yes",
            description = "Do not ask: push what is not on this machine too, leave messages in a --queue.")
    private boolean yes;

    @Mixin
    private LibOption lib = new LibOption();

    @Mixin
    private PeerOptions peers = new PeerOptions();

    @Mixin
    private LibraryOptions libraries = new LibraryOptions();

    @Mixin
    private DatagramOptions datagrams = new DatagramOptions();

    @Mixin
    private MeasuringOptions measuring = new MeasuringOptions();

    @Spec
    private CommandSpec spec;

    /** What is asked and not on this machine; empty when all is. Looked up once: a name may lead elsewhere the next time. */
    private String away = "";

    /** A command without arguments yet; picocli fills them in. */
    public ProbeCommand() {}

    @Override
    public Integer call() throws Exception {
        measuring.check(spec.commandLine());
        return StopSignal.guard(spec.commandLine().getErr(), this::probe);
    }

    private int probe() throws IOException, InterruptedException {
        ProbeKind kind;
        ClientJars jars;
        try {
            kind = ProbeKind.of(target);
            if (lib.isGiven() && kind != ProbeKind.JDBC && kind != ProbeKind.JMS) {
                throw new IllegalArgumentException("--lib is for a jdbc or jms target: leave it out");
            }
            jars = lib.open();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        try (jars) {
            return probe(kind);
        }
    }

    private int probe(ProbeKind kind) throws IOException, InterruptedException {
        ProbeReport report;
        ProbePeer peer;
        ProbeBudget budget;
        try {
            for (OptionSpec given : spec.commandLine().getParseResult().matchedOptions()) {
                kind.check(given.longestName());
            }
            List<SettingsLibrary> wanted = libraries.chosen(target);
            away = away();
            budget = new ProbeBudget(lasting, rate(), connections());
            if (kind == ProbeKind.UDP) {
                return udp();
            }
            ask();
            peer = peers.peer(kind, target, budget.maxConnections(), measuring.seed());
            report = new ProbeReport(kind, target, peers, wanted);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        try (peer) {
            report.show(found(peer, budget), spec, measuring);
            return CommandLineExit.DONE;
        }
    }

    private int udp() throws IOException, InterruptedException {
        UdpProbe probe = new UdpProbe(target, datagrams, maxBurst, maxRate == null ? UdpProbe.MOST_RATE : maxRate, yes);
        probe.check();
        return probe.run(lasting, measuring, spec);
    }

    private ProbeFindings found(ProbePeer peer, ProbeBudget budget) throws IOException, InterruptedException {
        try (LiveLine live = measuring.live()) {
            return Probe.of(peer)
                    .budget(budget)
                    .seed(measuring.seed())
                    .watch(line -> live.show(System.nanoTime(), line))
                    .run();
        }
    }

    private String away() {
        return Stream.of(target, peers.batchUrl())
                .filter(url -> !url.isEmpty() && !TargetHosts.areHere(url))
                .findFirst()
                .orElse("");
    }

    private int rate() {
        if (maxRate != null && !target.startsWith(HostAndPort.UDP)) {
            return maxRate;
        }
        return away.isEmpty() ? HOME_RATE : AWAY_RATE;
    }

    private int connections() {
        if (maxConnections != null) {
            return maxConnections;
        }
        return away.isEmpty() ? HOME_CONNECTIONS : AWAY_CONNECTIONS;
    }

    private void ask() {
        if (!away.isEmpty() && (rate() > AWAY_RATE || peers.batches())) {
            Confirmation.ask(
                    spec.commandLine(),
                    yes,
                    String.format(
                            Locale.ROOT,
                            "%s is not on this machine, and would be asked up to %d times a second%s",
                            LoadTarget.withoutSecrets(away),
                            rate(),
                            peers.batches() ? ", also for many items at once" : ""));
        }
        if (peers.queue() != null) {
            Confirmation.ask(
                    spec.commandLine(),
                    yes,
                    "the messages of this probe would stay in the queue " + peers.queue()
                            + " until somebody receives them");
        }
    }
}
