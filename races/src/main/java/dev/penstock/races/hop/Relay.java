package dev.penstock.races.hop;

import dev.penstock.lab.measure.ChildProbe;
import dev.penstock.lab.measure.ChildUse;
import dev.penstock.races.machine.Cores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An origin and a hop before it, both running; the hop was seen to answer as it has to. For one thread. */
final class Relay implements AutoCloseable {
    private static final Duration STRETCH = Duration.ofSeconds(2);
    private static final double STEADY = 0.03;

    /** A compiler that shares the core with what it compiles takes its time: one stretch that is no better says nothing. */
    private static final int STEADY_FOR = 6;

    private static final double MB = 1 << 20;

    private final HopContestants contestant;
    private final Cores cores;
    private final Path folder;
    private final Program origin;
    private final Program hop;
    private final ChildProbe life;
    private final Answer answer;

    private Relay(HopContestants contestant, Cores cores, Path folder, Program origin, Program hop) throws IOException {
        this.contestant = contestant;
        this.cores = cores;
        this.folder = folder;
        this.origin = origin;
        this.hop = hop;
        this.life = hop.probe(contestant.title());
        this.answer = Answer.of(hop.port());
    }

    /**
     * Starts both.
     *
     * @throws IOException when one does not start, or the hop does not pass the origin's body on
     */
    static Relay start(HopContestants contestant, Cores cores) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("penstock-hop");
        Program origin = null;
        Program hop = null;
        try {
            origin = origin(Files.createDirectory(folder.resolve("origin")), cores);
            Path place = Files.createDirectory(folder.resolve("hop"));
            int port = Program.freePort();
            List<String> command = contestant.command(place, port, origin.port());
            hop = Program.start(cores.ofServer(), command, place, port);
            return new Relay(contestant, cores, folder, origin, hop);
        } catch (IOException | InterruptedException | RuntimeException e) {
            end(hop, origin, folder);
            throw e;
        }
    }

    private static Program origin(Path folder, Cores cores) throws IOException, InterruptedException {
        int port = Program.freePort();
        Map<String, String> words = Map.of("PORT", String.valueOf(port), "BODY", HopTraffic.BODY);
        String conf = HopContestants.written("origin.conf", folder, words);
        return Program.start(cores.ofSender(), HopContestants.nginx(folder, conf), folder, port);
    }

    int port() {
        return hop.port();
    }

    Answer answer() {
        return answer;
    }

    /**
     * Loads it as far as it goes until it gets no cheaper any more: what is compiled is compiled by then. What is not on a JVM
     * has nothing to compile.
     *
     * @param most stretches of 2 s
     * @param least how many requests it has carried by then, unless they are too many for these stretches
     */
    void warmUp(int most, long least) throws IOException, InterruptedException {
        double best = 0;
        double carried = 0;
        int steady = 0;
        for (int stretch = 0; stretch < (contestant.isOnTheJvm() ? most : 1); stretch++) {
            Map<String, Double> figures = fullFor(STRETCH);
            double now = figures.getOrDefault("per_cpu_second", 0.0);
            carried += figures.getOrDefault("count", 0.0);
            steady = now < best * (1 + STEADY) ? steady + 1 : 0;
            if (carried >= least && steady >= STEADY_FOR) {
                return;
            }
            best = Math.max(best, now);
        }
    }

    /** As fast as it goes. */
    Map<String, Double> fullFor(Duration lasting) throws IOException, InterruptedException {
        ChildProbe probe = hop.probe(contestant.title());
        Wrk wrk = Wrk.run(cores.ofSender(), folder, port(), lasting);
        Map<String, Double> metrics = new LinkedHashMap<>(wrk.metrics());
        long wrong = answer.wrongIn(wrk.requests(), wrk.bytes(), HopTraffic.CONNECTIONS);
        metrics.put("wrong", (double) wrong);
        metrics.merge("errors", (double) wrong, Double::sum);
        metrics.putAll(used(probe, wrk.requests(), wrk.seconds()));
        return metrics;
    }

    /**
     * What the hop used.
     *
     * @param probe since it was started
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
        return hop.probe(contestant.title());
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
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
