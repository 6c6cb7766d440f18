package dev.penstock.races.overload;

import dev.penstock.races.LoadTimes;
import dev.penstock.races.overload.BulkheadGate.Tuning;
import java.time.Duration;
import java.util.Objects;

/**
 * Tunes a bulkhead manually, as a team with a week of time would: tries several settings on the course's own load, and
 * keeps the one with the most goodput. Its measurements only select the setting; the results come from the contestant's
 * own blocks.
 *
 * @param traffic the load
 * @param times of each try
 * @param seed of the load
 */
record Sweep(OverloadTraffic traffic, LoadTimes times, long seed) {
    /** The approximate time from the last start of a transaction to its end. */
    private static final Duration DRAIN_TIME = Duration.ofMillis(300);

    /** The approximate total time. */
    Duration takes() {
        return times.lasting().plus(DRAIN_TIME).multipliedBy(Tuning.all().size());
    }

    Tuning best(MachineCalibration.Measures measures) throws InterruptedException {
        Tuning best = Tuning.DEFAULT;
        double most = -1;
        for (Tuning tuning : Tuning.all()) {
            double goodput = goodput(tuning, measures);
            if (goodput > most) {
                most = goodput;
                best = tuning;
            }
        }
        return best;
    }

    private double goodput(Tuning tuning, MachineCalibration.Measures measures) throws InterruptedException {
        Stage stage = measures.stage();
        GoodputCounter tally = new GoodputCounter(OverloadCourse.USEFUL_WITHIN, times);
        OverloadTraffic.Plan plan = new OverloadTraffic.Plan(times, measures.capacity(), seed, tally, _ -> {});
        try (LimitedStage limiter = BulkheadGate.around(stage, tuning)) {
            traffic.on(limiter, stage, plan);
        }
        return Objects.requireNonNull(tally.metrics().get("goodput"));
    }
}
