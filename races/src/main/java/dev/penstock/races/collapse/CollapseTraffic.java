package dev.penstock.races.collapse;

import dev.penstock.Durations;
import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.EndListener;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.load.OpenLoad;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Progress;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/** Who asks, and when. Immutable. */
sealed interface CollapseTraffic {
    /** What each run of it needs. */
    record Plan(CollapseTimes times, SimulatedCallTime calls, long seed, EndListener listener, Consumer<Progress> watcher) {
        private static final Duration TELL_EVERY = Duration.ofSeconds(1);
        /** What has no answer by then is lost: the longest call and the longest window end in less than a second. */
        private static final Duration GRACE = Duration.ofSeconds(5);

        private LoadResult run(Load<?> load, CollapseCallers callers) throws InterruptedException {
            return load.lasting(times.lasting())
                    .warmUp(times.warmUp())
                    .grace(GRACE)
                    .listen(listener)
                    .watch(TELL_EVERY, watcher)
                    .run(callers, number -> number, Boolean::booleanValue);
        }
    }

    /** In one line for people. */
    String words();

    /** Runs it, and waits until it is over. */
    LoadResult on(CollapseCallers callers, Plan plan) throws InterruptedException;

    /**
     * Callers who wait for their answers.
     *
     * @param callers how many
     * @param together whether all begin at the same moment, in place of each at a random one within a call's time
     * @param think the longest pause before a caller asks again; any shorter one is as likely
     */
    record Closed(int callers, boolean together, Duration think) implements CollapseTraffic {
        static Closed of(int callers) {
            return new Closed(callers, false, Duration.ZERO);
        }

        @Override
        public String words() {
            return callers + " callers who ask again as soon as they are answered"
                    + (think.isZero() ? "" : " and have waited for up to " + Durations.words(think))
                    + (together ? ", all of whom begin at once" : "");
        }

        @Override
        public LoadResult on(CollapseCallers service, Plan plan) throws InterruptedException {
            ClosedLoad load = ClosedLoad.of(callers, Duration.ZERO);
            if (!think.isZero()) {
                load.thinking(Duration.ZERO, think, ~plan.seed);
            }
            return plan.run(together ? load : load.beginningWithin(plan.calls.mean(), plan.seed), service);
        }
    }

    /**
     * Requests at random times, from callers who know nothing of each other.
     *
     * @param rate a second
     */
    record Open(int rate) implements CollapseTraffic {
        /** A pacer that spins would take more CPU than what it loads; this one comes 0.1 ms late at most, to all alike. */
        private static final Duration WAKES_EVERY = Duration.ofNanos(100_000);

        @Override
        public String words() {
            return String.format(Locale.ROOT, "%,d requests a second at random times (Poisson)", rate);
        }

        @Override
        public LoadResult on(CollapseCallers service, Plan plan) throws InterruptedException {
            return plan.run(OpenLoad.at(Arrivals.poisson(rate, plan.seed)).sparing(WAKES_EVERY), service);
        }
    }
}
