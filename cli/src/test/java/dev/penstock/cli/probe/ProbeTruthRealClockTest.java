package dev.penstock.cli.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.flow.Flow;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.probe.IdleFinding;
import dev.penstock.lab.probe.KneeFinding;
import dev.penstock.lab.probe.Probe;
import dev.penstock.lab.probe.ProbeFindings;
import dev.penstock.lab.probe.Recommendation;
import dev.penstock.lab.report.ProbeNote;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Probes servers with random properties, and compares the recommendation with a sweep. Judges only draws that had
 * the machine for themselves: where others use its cores, the machine itself is slow. One short draw by default;
 * {@code -Dpenstock.probe.draws=20 -Dpenstock.probe.seed=1} is the full test, about 17 minutes.
 */
class ProbeTruthRealClockTest {
    private static final int DRAWS = Integer.getInteger("penstock.probe.draws", 1);
    private static final long SEED = Long.getLong("penstock.probe.seed", 1);
    private static final boolean WHOLE = DRAWS > 1;
    private static final Duration LONGEST_PROBE = Duration.ofSeconds(90);
    private static final Duration BUDGET = WHOLE ? Duration.ofSeconds(40) : Duration.ofSeconds(8);
    private static final Duration EACH = WHOLE ? Duration.ofSeconds(1) : Duration.ofMillis(500);
    private static final int CONNECTIONS = WHOLE ? 200 : 40;

    /** The maximum use of cores by other processes and the host for which a draw is judged. */
    private static final double MOST_CORES_OF_OTHERS = 0.25;

    /** Short measurements have a weaker requirement. */
    private static final double KNEE_WITHIN = WHOLE ? 0.15 : 0.3;

    private static final double KILL_WITHIN = WHOLE ? 0.1 : 0.25;
    private static final double BEST_SHARE = WHOLE ? 0.95 : 0.8;

    /**
     * One draw and its result.
     *
     * @param misses what was not found as it is, a word each
     * @param quiet whether it had the machine for itself
     */
    private record Draw(boolean kneeHit, List<String> misses, boolean quiet) {}

    @Test
    @Timeout(45 * 60)
    void findsHiddenLimits() throws Exception {
        List<Draw> draws = new ArrayList<>();
        for (int i = 0; i < DRAWS; i++) {
            draws.add(draw(SEED + i));
        }
        List<Draw> judged = draws.stream().filter(Draw::quiet).toList();
        long hits = judged.stream().filter(Draw::kneeHit).count();
        System.out.printf(
                Locale.ROOT,
                "probe: knee within %.0f %% in %d of %d; %d more on a busy machine%n",
                100 * KNEE_WITHIN,
                hits,
                judged.size(),
                DRAWS - judged.size());
        assertThat(judged.stream().flatMap(draw -> draw.misses().stream())).isEmpty();
        assertThat(hits).isGreaterThanOrEqualTo((long) Math.ceil(0.9 * judged.size()));
    }

    private static Draw draw(long seed) throws Exception {
        OthersUse others = OthersUse.from();
        Draw draw = probed(seed);
        double cores = others.cores();
        System.out.printf(Locale.ROOT, "probe: others took %.2f cores%n", cores);
        return new Draw(draw.kneeHit(), draw.misses(), cores <= MOST_CORES_OF_OTHERS);
    }

    private static Draw probed(long seed) throws Exception {
        Truth truth = WHOLE ? Truth.drawn(seed) : Truth.quick(seed);
        System.out.printf("probe: seed %d, truth %s%n", seed, truth);
        try (HttpSimulator server = truth.server();
                TcpSimulator way = truth.way(server);
                HttpTarget target = HttpPeer.target("http://127.0.0.1:" + way.port() + "/", CONNECTIONS);
                HttpPeer peer = peer(target, way.port())) {
            long start = System.nanoTime();
            ProbeFindings found = Probe.of(peer)
                    .budget(new Probe.Budget(BUDGET, 2000, CONNECTIONS))
                    .seed(seed)
                    .run();
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            KneeFinding knee = found.knee();
            IdleFinding idle = found.idle();
            System.out.printf("probe: in %.1f s: %s; %s%n", took.toMillis() / 1e3, said(knee), said(idle));
            List<String> misses = new ArrayList<>();
            misses(misses, seed, truth, idle);
            if (took.compareTo(LONGEST_PROBE) > 0) {
                misses.add(seed + ": it took " + took);
            }
            if (knee == null) {
                return new Draw(false, misses, true);
            }
            String limit = recommendedLimit(found);
            double share = limit.equals("auto")
                    ? 0
                    : share(Integer.parseInt(limit.replaceAll(".*max: (\\d+) }", "$1")), truth, target);
            System.out.printf(Locale.ROOT, "probe: a limit of %s has %.3f of the best%n", limit, share);
            if (share < BEST_SHARE) {
                misses.add(seed + ": a limit of " + limit + " has " + share + " of the best");
            }
            return new Draw(Math.abs(knee.knee() / truth.knee() - 1) <= KNEE_WITHIN, misses, true);
        }
    }

    private static String recommendedLimit(ProbeFindings found) {
        return new Recommendation(found, Recommendation.To.HTTP)
                .advice().stream()
                        .filter(advice -> advice.name().equals("limit"))
                        .map(ProbeNote.Setting::value)
                        .findFirst()
                        .orElse("auto");
    }

    private static void misses(List<String> misses, long seed, Truth truth, @Nullable IdleFinding idle) {
        if (idle == null || idle.killAfter() == null || idle.kind() != truth.kind()) {
            misses.add(seed + ": the kill was not found as it is, " + said(idle));
            return;
        }
        double ratio = (double) idle.killAfter().toNanos() / truth.killAfter().toNanos();
        if (Math.abs(ratio - 1) > KILL_WITHIN) {
            misses.add(seed + ": the kill was found at " + ratio + " of its time");
        }
    }

    private static String said(@Nullable KneeFinding knee) {
        return knee == null
                ? "no knee"
                : String.format(
                        Locale.ROOT,
                        "knee %.1f (%.1f to %.1f) %s",
                        knee.knee(),
                        knee.low(),
                        knee.high(),
                        knee.reached() ? "" : "not reached");
    }

    private static String said(@Nullable IdleFinding idle) {
        return idle == null ? "no kill" : idle.kind() + " after " + idle.killAfter();
    }

    /** The throughput at a limit, as a share of the best throughput of all limits. */
    private static double share(int recommended, Truth truth, HttpTarget target) throws InterruptedException {
        Set<Integer> limits = new TreeSet<>();
        for (double share : WHOLE ? new double[] {0.5, 0.75, 1, 1.25, 1.5, 2} : new double[] {0.5, 1, 1.5}) {
            limits.add((int) Math.max(1, Math.round(share * truth.knee())));
        }
        double best = 0;
        for (int limit : limits) {
            best = Math.max(best, perSecond(limit, truth, target));
        }
        return perSecond(recommended, truth, target) / best;
    }

    private static double perSecond(int limit, Truth truth, HttpTarget target) throws InterruptedException {
        Flow<HttpCall, HttpAnswer> flow = Flow.named("probed")
                .concurrency(limit)
                .queue(Duration.ofSeconds(10))
                .queueLength(1000)
                .to(call -> target.call(call));
        LoadResult result = ClosedLoad.of(3 * truth.knee(), Duration.ZERO)
                .warmUp(EACH.dividedBy(2))
                .lasting(EACH.plus(EACH.dividedBy(2)))
                .run(flow, number -> HttpCall.get("/"));
        return result.tps();
    }

    private static HttpPeer peer(HttpTarget target, int port) {
        LoadSender loader = new LoadSender() {
            @Override
            public LoadResult run(Load<?> load) throws InterruptedException {
                return load.run(target, number -> HttpCall.get("/"), answer -> answer.status() == 200);
            }

            @Override
            public void close() {
                target.close();
            }
        };
        return new HttpPeer("http://127.0.0.1:" + port + "/", loader, number -> HttpCall.get("/"), null);
    }
}
