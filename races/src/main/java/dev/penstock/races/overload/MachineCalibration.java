package dev.penstock.races.overload;

import dev.penstock.Ticker;
import dev.penstock.lab.load.ClosedLoad;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this machine can do, measured once for all contestants of a race, in the runner's JVM: how much work 4 ms of CPU are,
 * how many requests the stage answers each second, and for each load how a bulkhead is set best. A measure of each block's own
 * would differ a little from block to block, and the contestants with it.
 *
 * <p>Safe for many threads: the first who asks measures, others wait.
 */
final class MachineCalibration {
    /** So many in the stage for each core keep it busy: they need 24 ms each, 4 of which are CPU. */
    private static final int USERS_PER_CORE = 100;

    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final Duration MEASURED = Duration.ofSeconds(3);

    /** What all of it takes but the sweeps, about. */
    static final Duration TAKES = WARM_UP.plus(MEASURED).plusSeconds(1);

    private final Map<String, Tuning> tunings = new HashMap<>();
    private @Nullable Measures measures;

    /**
     * What a block is told of it.
     *
     * @param slowBeyond how many a {@link ServerStage} takes before it becomes slow; 0 for a {@link CpuStage}
     * @param work of each request, see {@link CpuStage#CPU}
     * @param capacity right answers a second from the stage alone, with as many in it as keep all cores busy
     * @param tuning for the bulkhead that is set by hand
     */
    record Measures(int slowBeyond, CpuWork work, double capacity, Tuning tuning) {
        private static final String SLOW_BEYOND = "slow_beyond";
        private static final String PIECES = "pieces";
        private static final String CAPACITY = "capacity";
        private static final String MOST = "bulkhead";
        private static final String WAIT = "bulkhead_wait_ms";

        Map<String, String> parameters() {
            return Map.of(
                    SLOW_BEYOND,
                    Integer.toString(slowBeyond),
                    PIECES,
                    Integer.toString(work.pieces()),
                    CAPACITY,
                    String.format(Locale.ROOT, "%.1f", capacity),
                    MOST,
                    Integer.toString(tuning.most()),
                    WAIT,
                    Long.toString(tuning.patience().toMillis()));
        }

        static Measures of(Map<String, String> parameters) {
            return new Measures(
                    Integer.parseInt(said(parameters, SLOW_BEYOND)),
                    new CpuWork(Integer.parseInt(said(parameters, PIECES))),
                    Double.parseDouble(said(parameters, CAPACITY)),
                    new Tuning(
                            Integer.parseInt(said(parameters, MOST)),
                            Duration.ofMillis(Long.parseLong(said(parameters, WAIT)))));
        }

        private static String said(Map<String, String> parameters, String name) {
            String value = parameters.get(name);
            if (value == null) {
                throw new IllegalArgumentException("the scene named no " + name);
            }
            return value;
        }

        /** What is known of a {@link ServerStage} without measuring. */
        static Measures ofServers(int slowBeyond) {
            return new Measures(slowBeyond, new CpuWork(1), ServerStage.CAPACITY, Tuning.DEFAULT);
        }

        Measures with(Tuning better) {
            return new Measures(slowBeyond, work, capacity, better);
        }

        Stage stage() {
            return slowBeyond > 0
                    ? new ServerStage(slowBeyond, Ticker.SYSTEM)
                    : new CpuStage(work, CpuStage.WAIT, Ticker.SYSTEM);
        }
    }

    /** What is measured for all loads, with a bulkhead that nobody has set. */
    synchronized Measures measures() throws InterruptedException {
        if (measures == null) {
            CpuWork work = CpuWork.lasting(CpuStage.CPU);
            Stage stage = new CpuStage(work, CpuStage.WAIT, Ticker.SYSTEM);
            double capacity = ClosedLoad.of(
                            USERS_PER_CORE * Runtime.getRuntime().availableProcessors(), Duration.ZERO)
                    .lasting(WARM_UP.plus(MEASURED))
                    .warmUp(WARM_UP)
                    .run(stage, number -> number, stage::isRight)
                    .tps();
            measures = new Measures(0, work, capacity, Tuning.DEFAULT);
        }
        return measures;
    }

    /** The same with the best bulkhead for a load. */
    synchronized Measures tuned(Measures plain, Sweep sweep) throws InterruptedException {
        Tuning best = tunings.get(sweep.traffic().name());
        if (best == null) {
            best = sweep.best(plain);
            tunings.put(sweep.traffic().name(), best);
        }
        return plain.with(best);
    }
}
