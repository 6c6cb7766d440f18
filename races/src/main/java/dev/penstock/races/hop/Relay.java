package dev.penstock.races.hop;

import dev.penstock.jdbc.kit.Folders;
import dev.penstock.kit.StablePort;
import dev.penstock.lab.measure.ChildProbe;
import dev.penstock.lab.measure.ChildUse;
import dev.penstock.races.hop.HopContestants.HopProcess;
import dev.penstock.races.machine.Cores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An origin and a hop in front of it, both running. The hop's answers were verified. Not thread-safe. */
final class Relay implements AutoCloseable {
    private static final Duration WARM_UP_STEP = Duration.ofSeconds(2);
    private static final double MIN_IMPROVEMENT = 0.03;

    /**
     * The number of consecutive steps without improvement that end the warm-up. One is not enough, because a compiler
     * that shares the core with the code it compiles is slow.
     */
    private static final int STEADY_STEPS = 6;

    private static final double MB = 1 << 20;

    private final String contestant;
    private final HopProcess process;
    private final HopClient client;
    private final Cores cores;
    private final Path folder;
    private final Program origin;
    private final Program hop;
    private final ChildProbe life;
    private final Answer answer;

    private Relay(
            String contestant,
            HopProcess process,
            HopClient client,
            Cores cores,
            Path folder,
            Program origin,
            Program hop)
            throws IOException {
        this.contestant = contestant;
        this.process = process;
        this.client = client;
        this.cores = cores;
        this.folder = folder;
        this.origin = origin;
        this.hop = hop;
        this.life = hop.probe(contestant);
        this.answer = Answer.of(client, hop.port());
    }

    /**
     * Starts both.
     *
     * @throws IOException if one of them does not start, or the hop does not return the origin's body
     */
    static Relay start(String contestant, HopProcess process, Cores cores) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("penstock-hop");
        Program origin = null;
        Program hop = null;
        try {
            origin = origin(Files.createDirectory(folder.resolve("origin")), cores);
            Path hopFolder = Files.createDirectory(folder.resolve("hop"));
            int port = StablePort.free();
            HopClient client = process.isSecure() ? HopClient.secure(hopFolder) : HopClient.PLAIN;
            List<String> command = process.command(hopFolder, port, origin.port());
            hop = Program.start(cores.ofServer(), command, hopFolder, port);
            return new Relay(contestant, process, client, cores, folder, origin, hop);
        } catch (IOException | InterruptedException | RuntimeException e) {
            end(hop, origin, folder);
            throw e;
        }
    }

    private static Program origin(Path folder, Cores cores) throws IOException, InterruptedException {
        int port = StablePort.free();
        Map<String, String> values = Map.of("PORT", String.valueOf(port), "BODY", HopTraffic.BODY);
        String conf = HopContestants.write("origin.conf", folder, values);
        return Program.start(cores.ofSender(), HopContestants.nginx(folder, conf), folder, port);
    }

    int port() {
        return hop.port();
    }

    Answer answer() {
        return answer;
    }

    /**
     * Runs the hop at full speed until its CPU cost per request stops improving, which means that its code is compiled.
     * A hop that is not on a JVM gets one step only.
     *
     * @param maxSteps the maximum number of steps of 2 s
     * @param minRequests the minimum number of requests, unless the maximum number of steps is reached first
     */
    void warmUp(int maxSteps, long minRequests) throws IOException, InterruptedException {
        double best = 0;
        double requests = 0;
        int steady = 0;
        for (int step = 0; step < (process.isOnTheJvm() ? maxSteps : 1); step++) {
            Map<String, Double> figures = fullFor(WARM_UP_STEP);
            double now = figures.getOrDefault("per_cpu_second", 0.0);
            requests += figures.getOrDefault("count", 0.0);
            steady = now < best * (1 + MIN_IMPROVEMENT) ? steady + 1 : 0;
            if (requests >= minRequests && steady >= STEADY_STEPS) {
                return;
            }
            best = Math.max(best, now);
        }
    }

    /** Loads the hop at full speed. */
    Map<String, Double> fullFor(Duration lasting) throws IOException, InterruptedException {
        ChildProbe probe = hop.probe(contestant);
        Wrk wrk = Wrk.run(cores.ofSender(), folder, client, port(), lasting);
        Map<String, Double> metrics = new LinkedHashMap<>(wrk.metrics());
        long wrong = answer.wrongIn(wrk.requests(), wrk.bytes(), HopTraffic.CONNECTIONS);
        metrics.put("wrong", (double) wrong);
        metrics.merge("errors", (double) wrong, Double::sum);
        metrics.putAll(used(probe, wrk.requests(), wrk.seconds()));
        return metrics;
    }

    /**
     * The resource use of the hop.
     *
     * @param probe started at the beginning of the measurement
     */
    Map<String, Double> used(ChildProbe probe, long answers, double seconds) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        long cpu = probe.soFar().cpuNanos();
        if (cpu > 0 && answers > 0) {
            metrics.put("child_cpu_us_per_tx", cpu / 1e3 / answers);
            metrics.put("per_cpu_second", 1e9 * answers / cpu);
            metrics.put("of_core", cpu / 1e9 / seconds);
        }
        ChildUse all = life.soFar();
        if (all.rssPeak() > 0) {
            metrics.put("child_rss_peak_mb", all.rssPeak() / MB);
        }
        return metrics;
    }

    ChildProbe probe() {
        return hop.probe(contestant);
    }

    @Override
    public void close() {
        end(hop, origin, folder);
    }

    private static void end(@Nullable Program hop, @Nullable Program origin, Path folder) {
        if (hop != null) {
            hop.close();
        }
        if (origin != null) {
            origin.close();
        }
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
