package dev.penstock.races.overload;

import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.EndListener;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.load.OpenLoad;
import dev.penstock.lab.load.Shape;
import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Progress;
import dev.penstock.races.Callers;
import dev.penstock.races.LoadTimes;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The callers and their timing: an open model of independent callers, or a closed model of waiting users. Immutable.
 */
sealed interface OverloadTraffic {
    /**
     * The grace period at the end. Answers are useless by then; slightly late ones are distinguished from lost ones.
     */
    Duration GRACE = OverloadCourse.USEFUL_WITHIN.plusMillis(500);

    /** The parameters of a run. */
    record Plan(LoadTimes times, double capacity, long seed, EndListener listener, Consumer<Progress> watcher) {
        private <L extends Load<L>> L on(L load) {
            return load.lasting(times.lasting())
                    .warmUp(times.warmUp())
                    .grace(GRACE)
                    .listen(listener)
                    .watch(Callers.PROGRESS_INTERVAL, watcher);
        }
    }

    /** The course's name, for instance {@code open-3x}. */
    String name();

    /** In one readable line. */
    String describe();

    /**
     * The number of requests due in the measured time that the accepting thread had not reached when the load ended,
     * because it got too little CPU.
     */
    long neverAccepted(Counts counts, Plan plan);

    /** Runs the load and waits for its end. */
    LoadResult on(LimitedStage limiter, Stage stage, Plan plan) throws InterruptedException;

    /**
     * Open model: Poisson arrivals.
     *
     * @param name of its course
     * @param describe its rate, readable
     * @param rate over time, in multiples of the stage's capacity
     */
    record Open(String name, String describe, Function<Plan, Shape> rate) implements OverloadTraffic {
        /** Beyond it the generator sheds, and the block is invalid; rounded up from 10 x 500/s x 13 s. */
        static final int MAX_IN_FLIGHT = 100_000;

        /** A spinning pacer would use a quarter of the CPU at 5,000/s; this one is up to 1 ms late. */
        private static final Duration WAKES_EVERY = Duration.ofMillis(1);

        /** A constant rate. */
        static Open steady(double multiple) {
            return steady("open-" + figure(multiple) + "x", multiple);
        }

        static Open steady(String name, double multiple) {
            return new Open(
                    name,
                    figure(multiple) + " x the stage's capacity, open model (Poisson)",
                    plan -> Shape.flat(multiple * plan.capacity));
        }

        /** A rate far above capacity for 5/17 of the warm-up, which ends 5/17 before the measurement. */
        static Open spike(String name, double usual, double high) {
            String text = "%s x the stage's capacity, open model (Poisson), with a spike of %s x in the warm-up"
                    .formatted(figure(usual), figure(high));
            return new Open(name, text, plan -> {
                long part = plan.times.warmUp().toNanos() / 17;
                double low = usual * plan.capacity;
                double top = high * plan.capacity;
                return new Shape(
                        List.of(new Shape.Segment(low, low, 7 * part), new Shape.Segment(top, top, 5 * part)),
                        low,
                        text);
            });
        }

        private static String figure(double multiple) {
            boolean whole = multiple == Math.rint(multiple);
            return String.format(Locale.ROOT, whole ? "%.0f" : "%.1f", multiple);
        }

        @Override
        public LoadResult on(LimitedStage limiter, Stage stage, Plan plan) throws InterruptedException {
            return plan.on(OpenLoad.at(arrivals(plan)))
                    .maxInFlight(MAX_IN_FLIGHT)
                    .sparing(WAKES_EVERY)
                    .offer(limiter, number -> number, stage::isRight);
        }

        @Override
        public long neverAccepted(Counts counts, Plan plan) {
            LongSupplier offsets = arrivals(plan).offsets();
            long due = 0;
            for (long at = offsets.getAsLong(); at < plan.times.lasting().toNanos(); at = offsets.getAsLong()) {
                due += at < plan.times.warmUp().toNanos() ? 0 : 1;
            }
            return due - counts.offered();
        }

        private Arrivals arrivals(Plan plan) {
            return Arrivals.poisson(rate.apply(plan), plan.seed);
        }
    }

    /**
     * Closed model: users who wait for their answers.
     *
     * @param users their number
     */
    record Users(int users) implements OverloadTraffic {
        private static final Duration MIN_PAUSE = Duration.ofMillis(500);
        private static final Duration MAX_PAUSE = Duration.ofMillis(1_500);

        @Override
        public String name() {
            return "users-" + users;
        }

        @Override
        public String describe() {
            return users + " users (closed model) without think time, pausing 0.5 to 1.5 s after a rejection";
        }

        @Override
        public LoadResult on(LimitedStage limiter, Stage stage, Plan plan) throws InterruptedException {
            return plan.on(ClosedLoad.of(users, Duration.ZERO))
                    .pauseAfterRejection(MIN_PAUSE, MAX_PAUSE, plan.seed)
                    .run(limiter, number -> number, stage::isRight);
        }

        /** In a closed model nothing is due before its user is ready. */
        @Override
        public long neverAccepted(Counts counts, Plan plan) {
            return 0;
        }
    }
}
