package dev.penstock.races.collapse;

import dev.penstock.Service;
import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.EndListener;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.load.OpenLoad;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Progress;
import dev.penstock.races.LoadTimes;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** The callers and their timing. Immutable. */
sealed interface CollapseTraffic {
    /** The parameters of a run. */
    record Plan(LoadTimes times, SimulatedCallTime calls, long seed, EndListener listener, Consumer<Progress> watcher) {
        private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);
        /**
         * Unanswered requests are lost after this time: the longest call and the longest window end in less than a
         * second.
         */
        private static final Duration GRACE = Duration.ofSeconds(5);

        private LoadResult run(Load<?> load, CollapseCallers callers) throws InterruptedException {
            return load.lasting(times.lasting())
                    .warmUp(times.warmUp())
                    .grace(GRACE)
                    .listen(listener)
                    .watch(PROGRESS_INTERVAL, watcher)
                    .run(callers, number -> number, Boolean::booleanValue);
        }
    }

    /** In one readable line. */
    String describe();

    /** Runs the load and waits for its end. */
    LoadResult on(CollapseCallers callers, Plan plan) throws InterruptedException;

    /**
     * Closed model: callers wait for their answers.
     *
     * @param callers their number
     * @param together whether all start at the same moment, instead of at random times within one call time
     * @param think the maximum think time; uniformly distributed from 0
     */
    record Closed(int callers, boolean together, Duration think) implements CollapseTraffic {
        static Closed of(int callers) {
            return new Closed(callers, false, Duration.ZERO);
        }

        @Override
        public String describe() {
            return callers + " callers (closed model)"
                    + (think.isZero() ? " without think time" : " with think time up to " + Durations.format(think))
                    + (together ? ", all starting at once" : "");
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
     * Open model: Poisson arrivals.
     *
     * @param rate per second
     */
    record Open(int rate) implements CollapseTraffic {
        /**
         * A spinning pacer would use more CPU than the system under test; this one is at most 0.1 ms late, for all
         * contestants alike.
         */
        private static final Duration WAKES_EVERY = Duration.ofNanos(100_000);

        @Override
        public String describe() {
            return String.format(Locale.ROOT, "%,d requests/s (open model, Poisson arrivals)", rate);
        }

        @Override
        public LoadResult on(CollapseCallers service, Plan plan) throws InterruptedException {
            return plan.run(OpenLoad.at(Arrivals.poisson(rate, plan.seed)).sparing(WAKES_EVERY), service);
        }
    }

    /** Callers that send one item each and check its answer. Thread-safe. */
    final class CollapseCallers implements Service<Long, Boolean> {
        private final Service<Long, Long> batcher;
        private final LongAdder asked = new LongAdder();

        CollapseCallers(Service<Long, Long> batcher) {
            this.batcher = batcher;
        }

        /** Whether the answer belongs to this item. */
        @Override
        public Boolean call(Long item) throws Exception {
            asked.increment();
            return batcher.call(item) == SimulatedApi.answerTo(item);
        }

        /** The number of calls, each for a different item. */
        long asked() {
            return asked.sum();
        }
    }
}
