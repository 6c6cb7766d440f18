package dev.penstock.races.overload;

import dev.penstock.races.LoadTimes;
import java.time.Duration;
import java.util.Objects;

/**
 * Sets a bulkhead by hand, as a team with a week of time would: it tries each of some settings on the very load of the course,
 * and takes the one with the most useful answers. What it measures decides which, and nothing else: the figures of the result are
 * those of the contestant's own blocks.
 *
 * @param traffic the load
 * @param times of each try
 * @param seed of the load
 */
record Sweep(OverloadTraffic traffic, LoadTimes times, long seed) {
    /** From the last start of a transaction to the end of the last, about. */
    private static final Duration LEAVING = Duration.ofMillis(300);

    /** What all of it takes, about. */
    Duration takes() {
        return times.lasting().plus(LEAVING).multipliedBy(Tuning.all().size());
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
        try (LimitedStage doorway = BulkheadGate.around(stage, tuning)) {
            traffic.on(doorway, stage, plan);
        }
        return Objects.requireNonNull(tally.metrics().get("goodput"));
    }
}
