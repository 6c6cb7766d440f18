package dev.penstock.cli;

import dev.penstock.lab.probe.Probe;
import dev.penstock.lab.probe.ProbeFindings;
import dev.penstock.lab.probe.ProbePeer;
import dev.penstock.lab.report.LiveLine;
import java.io.Console;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock probe}: measures a dependency, and recommends settings with reasons. */
@Command(
        name = "probe",
        description = "Measures a dependency, reports its limits, and recommends settings with reasons.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Measures the round trip time, the concurrency knee, after what time and how idle connections are",
            "killed, whether batching pays, and for UDP the burst and rate at which loss starts. The requests are",
            "harmless by default: GET, select 1, a connection. A remote target gets at most 10 requests per",
            "second unless you confirm more.",
            "",
            "Exit codes: 0 done, 1 the target did not answer or the measurement is INVALID, 2 wrong command line.",
            "",
            "Example:  penstock probe https://gateway.example/v1/status --for 2m",
            "          penstock probe 'jdbc:postgresql://db.example/test?user=me' --for-hikari",
            "          penstock probe jms:tcp://127.0.0.1:61616 --queue probe --yes",
            "          penstock probe kafka:127.0.0.1:9092 --topic probe --yes",
            "          penstock probe tcp://127.0.0.1:6379 --send 'PING\\r\\n'",
            "          penstock probe udp://127.0.0.1:9000 --max-burst 20000 --for 30s"
        })
final class ProbeCommand extends Subcommand {
    private static final int REMOTE_RATE = 10;
    private static final int LOCAL_RATE = 2_000;
    private static final int REMOTE_CONNECTIONS = 64;
    private static final int LOCAL_CONNECTIONS = 200;

    @Parameters(
            paramLabel = "TARGET",
            description = "The target: http(s)://..., jdbc:..., jms:tcp://HOST:PORT, jms:amqp://HOST:PORT,"
                    + " kafka:HOST:PORT, tcp://HOST:PORT or udp://HOST:PORT.")
    private String target = "";

    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "1m",
            description = "The approximate maximum duration. Default: ${DEFAULT-VALUE}.")
    private Duration lasting = Duration.ZERO;

    @Option(
            names = "--max-rate",
            paramLabel = "N",
            description = "Send at most N requests per second. Default: 10, or 2000 on this machine; udp: 200000, and 0"
                    + " skips the rate test.")
    private @Nullable Integer maxRate;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            description = "Open at most N connections. Default: 64, or 200 on this machine.")
    private @Nullable Integer maxConnections;

    @Option(
            names = "--max-burst",
            paramLabel = "N",
            defaultValue = "10000",
            description =
                    "Send bursts of at most N datagrams; 0 skips the burst test (udp). Default: ${DEFAULT-VALUE}.")
    private int maxBurst;

    @Option(
            names = "--yes",
            description =
                    "Do not ask for confirmation: load remote targets too, leave messages in a --queue or --topic.")
    private boolean yes;

    @Option(names = "--for-hikari", description = "Also print the settings as HikariCP properties (jdbc).")
    private boolean hikari;

    @Mixin
    private LibOption lib = new LibOption();

    @Mixin
    private PeerOptions peers = new PeerOptions();

    @Mixin
    private DatagramOptions datagrams = new DatagramOptions();

    @Mixin
    private MeasuringOptions measuring = new MeasuringOptions();

    /** The first remote URL; empty when all are local. Resolved once, because DNS answers may change. */
    private String remote = "";

    @Override
    public Integer call() throws Exception {
        measuring.check();
        return StopSignal.guard(this, this::probe);
    }

    private int probe() throws IOException, InterruptedException {
        TargetKind kind = TargetKind.of(target);
        kind.check(spec.commandLine().getParseResult());
        try (ClientJars _ = lib.open()) {
            return probe(kind);
        }
    }

    private int probe(TargetKind kind) throws IOException, InterruptedException {
        remote = remote();
        Probe.Budget budget = new Probe.Budget(lasting, rate(), connections());
        if (kind == TargetKind.UDP) {
            return udp();
        }
        confirm();
        try (ProbePeer peer = peers.peer(kind, target, budget.maxConnections(), measuring.seed())) {
            if (kind == TargetKind.HTTP) {
                Rehearsal.once(peers.calls(measuring.seed()));
            }
            return new ProbeReport(kind, target, peers, hikari).show(findings(peer, budget), spec, measuring);
        }
    }

    private int udp() throws IOException, InterruptedException {
        UdpProbe probe = new UdpProbe(target, datagrams, maxBurst, maxRate == null ? UdpProbe.MAX_RATE : maxRate, yes);
        probe.check();
        return probe.run(lasting, measuring, spec);
    }

    private ProbeFindings findings(ProbePeer peer, Probe.Budget budget) throws IOException, InterruptedException {
        try (LiveLine live = measuring.live()) {
            return Probe.of(peer)
                    .budget(budget)
                    .seed(measuring.seed())
                    .watch(line -> live.show(System.nanoTime(), line))
                    .run();
        }
    }

    private String remote() {
        return Stream.of(target, peers.batchUrl())
                .filter(url -> !url.isEmpty() && !TargetHosts.areLocal(url))
                .findFirst()
                .orElse("");
    }

    private int rate() {
        if (maxRate != null && TargetKind.of(target) != TargetKind.UDP) {
            return maxRate;
        }
        return remote.isEmpty() ? LOCAL_RATE : REMOTE_RATE;
    }

    private int connections() {
        if (maxConnections != null) {
            return maxConnections;
        }
        return remote.isEmpty() ? LOCAL_CONNECTIONS : REMOTE_CONNECTIONS;
    }

    /** Asks before an action that affects a remote system. */
    private void ask(String what) {
        if (yes) {
            return;
        }
        Console console = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .orElse(null);
        if (console == null) {
            throw new IllegalArgumentException(what + ": confirm with --yes");
        }
        String answer = console.readLine("penstock: %s. Continue? [y/N] ", what);
        if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).startsWith("y")) {
            throw new IllegalArgumentException("cancelled");
        }
    }

    private void confirm() {
        if (!remote.isEmpty() && (rate() > REMOTE_RATE || peers.batches())) {
            ask(String.format(
                    Locale.ROOT,
                    "%s is not on this machine and would get up to %d requests per second%s",
                    LoadTarget.withoutSecrets(remote),
                    rate(),
                    peers.batches() ? ", including batches" : ""));
        }
        if (peers.queue() != null) {
            ask("the messages of this probe would stay in queue " + peers.queue() + " until they are consumed");
        }
        if (peers.topic() != null) {
            ask("the records of this probe would stay in topic " + peers.topic() + " until it deletes them");
        }
    }
}
