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
import dev.penstock.races.LoadTimes;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Who comes, and how: from many who know nothing of each other, or from so many who wait for their answers. Immutable. */
sealed interface OverloadTraffic {
    /** How long it waits in the end. Nothing is of use by then, and what is only a little late is told from what is lost. */
    Duration GRACE = OverloadCourse.USEFUL_WITHIN.plusMillis(500);

    /** What each run of it needs. */
    record Plan(LoadTimes times, double capacity, long seed, EndListener listener, Consumer<Progress> watcher) {
        private static final Duration TELL_EVERY = Duration.ofSeconds(1);

        private <L extends Load<L>> L on(L load) {
            return load.lasting(times.lasting())
                    .warmUp(times.warmUp())
                    .grace(GRACE)
                    .listen(listener)
                    .watch(TELL_EVERY, watcher);
        }
    }

    /** Of its course, for instance {@code open-3x}. */
    String name();

    /** In one line for people. */
    String words();

    /**
     * How many requests were due in the measured time that the accepting thread had not even come to when the load was over: it
     * got too little of the cores for that.
     */
    long neverTaken(Counts counts, Plan plan);

    /** Runs it, and waits until it is over. */
    LoadResult on(LimitedStage doorway, Stage stage, Plan plan) throws InterruptedException;

    /**
     * Requests at random times.
     *
     * @param name of its course
     * @param words its rate, for people
     * @param rate over time, in multiples of what the stage can do
     */
    record Open(String name, String words, Function<Plan, Shape> rate) implements OverloadTraffic {
        /** Beyond it the generator sheds, and the block is invalid; a round figure above 10 x 500/s x 13 s. */
        static final int MOST_IN_FLIGHT = 100_000;

        /** A pacer that spins would take a quarter of what there is at 5,000/s; this one comes up to 1 ms late. */
        private static final Duration WAKES_EVERY = Duration.ofMillis(1);

        /** The same rate all the time. */
        static Open steady(double multiple) {
            return steady("open-" + figure(multiple) + "x", multiple);
        }

        static Open steady(String name, double multiple) {
            return new Open(
                    name,
                    figure(multiple) + " x what the stage can do, at random times (Poisson)",
                    plan -> Shape.flat(multiple * plan.capacity));
        }

        /** Much more than the stage can do for 5 of 17 parts of the warm-up, and 5 of them before anything is measured. */
        static Open spike(String name, double usual, double high) {
            String words = "%s x what the stage can do, at random times (Poisson), and %s x for a while in the warm-up"
                    .formatted(figure(usual), figure(high));
            return new Open(name, words, plan -> {
                long part = plan.times.warmUp().toNanos() / 17;
                double low = usual * plan.capacity;
                double top = high * plan.capacity;
                return new Shape(
                        List.of(new Shape.Segment(low, low, 7 * part), new Shape.Segment(top, top, 5 * part)),
                        low,
                        words);
            });
        }

        private static String figure(double multiple) {
            boolean whole = multiple == Math.rint(multiple);
            return String.format(Locale.ROOT, whole ? "%.0f" : "%.1f", multiple);
        }

        @Override
        public LoadResult on(LimitedStage doorway, Stage stage, Plan plan) throws InterruptedException {
            return plan.on(OpenLoad.at(arrivals(plan)))
                    .maxInFlight(MOST_IN_FLIGHT)
                    .sparing(WAKES_EVERY)
                    .offer(doorway, number -> number, stage::isRight);
        }

        @Override
        public long neverTaken(Counts counts, Plan plan) {
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
     * Users who wait for their answers.
     *
     * @param users how many
     */
    record Users(int users) implements OverloadTraffic {
        private static final Duration LEAST_PAUSE = Duration.ofMillis(500);
        private static final Duration MOST_PAUSE = Duration.ofMillis(1_500);

        @Override
        public String name() {
            return "users-" + users;
        }

        @Override
        public String words() {
            return users + " users, each of whom asks again once answered, and 0.5 to 1.5 s after a rejection";
        }

        @Override
        public LoadResult on(LimitedStage doorway, Stage stage, Plan plan) throws InterruptedException {
            return plan.on(ClosedLoad.of(users, Duration.ZERO))
                    .pauseAfterRejection(LEAST_PAUSE, MOST_PAUSE, plan.seed)
                    .run(doorway, number -> number, stage::isRight);
        }

        /** Nothing is due before its user has come to it. */
        @Override
        public long neverTaken(Counts counts, Plan plan) {
            return 0;
        }
    }
}
