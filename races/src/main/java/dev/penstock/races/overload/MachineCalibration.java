package dev.penstock.races.overload;

import dev.penstock.Ticker;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.race.Scene;
import dev.penstock.races.overload.BulkheadGate.Tuning;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Properties of this machine, measured once for all contestants of a race, in the runner's JVM: how much work 4 ms of
 * CPU are, the maximum throughput of the stage, and the best bulkhead settings for each load. Measuring per block would
 * add variation between blocks.
 *
 * <p>Thread-safe: the first caller measures, others wait.
 */
final class MachineCalibration {
    /** This number of users per core keeps all cores busy: each request takes 24 ms, 4 of which are CPU. */
    private static final int USERS_PER_CORE = 100;

    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final Duration MEASURED = Duration.ofSeconds(3);

    /** The approximate total time, without the sweeps. */
    static final Duration TAKES = WARM_UP.plus(MEASURED).plusSeconds(1);

    private final Map<String, Tuning> tunings = new HashMap<>();
    private @Nullable Measures measures;

    /**
     * The measurements passed to a block.
     *
     * @param slowBeyond the concurrency beyond which a {@link ServerStage} becomes slow; 0 for a {@link CpuStage}
     * @param work of each request, see {@link CpuStage#CPU}
     * @param capacity correct answers per second of the stage alone, with enough requests to keep all cores busy
     * @param tuning of the manually tuned bulkhead
     */
    record Measures(int slowBeyond, CpuWork work, double capacity, Tuning tuning) {
        Map<String, String> parameters() {
            return Map.of(
                    "slow_beyond", Integer.toString(slowBeyond),
                    "pieces", Integer.toString(work.pieces()),
                    "capacity", String.format(Locale.ROOT, "%.1f", capacity),
                    "bulkhead", Integer.toString(tuning.most()),
                    "bulkhead_wait_ms", Long.toString(tuning.maxWait().toMillis()));
        }

        /** From the value of each parameter. */
        static Measures of(UnaryOperator<String> parameters) {
            return new Measures(
                    Integer.parseInt(parameters.apply("slow_beyond")),
                    new CpuWork(Integer.parseInt(parameters.apply("pieces"))),
                    Double.parseDouble(parameters.apply("capacity")),
                    new Tuning(
                            Integer.parseInt(parameters.apply("bulkhead")),
                            Duration.ofMillis(Long.parseLong(parameters.apply("bulkhead_wait_ms")))));
        }

        /** The known properties of a {@link ServerStage}, without measuring. */
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

    /** The measurements for all loads, with a default bulkhead. */
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

    /** A copy with the best bulkhead settings for a load. */
    synchronized Measures tuned(Measures plain, Sweep sweep) throws InterruptedException {
        Tuning best = tunings.get(sweep.traffic().name());
        if (best == null) {
            best = sweep.best(plain);
            tunings.put(sweep.traffic().name(), best);
        }
        return plain.with(best);
    }

    /**
     * Passes the machine's properties to a contestant.
     *
     * @param measures the properties
     * @param tuned whether the block's contestant uses the tuned bulkhead
     */
    record MeasuredScene(Measures measures, boolean tuned) implements Scene {
        @Override
        public Map<String, String> parameters() {
            return measures.parameters();
        }

        /**
         * {@code capacity}: answers per second of the stage alone; {@code wait_ms}: the maximum wait of the tuned bulkhead.
         */
        @Override
        public Map<String, Double> metrics() {
            Map<String, Double> metrics = new LinkedHashMap<>();
            metrics.put("capacity", measures.capacity());
            if (tuned) {
                metrics.put("wait_ms", (double) measures.tuning().maxWait().toMillis());
            }
            return metrics;
        }
    }
}
