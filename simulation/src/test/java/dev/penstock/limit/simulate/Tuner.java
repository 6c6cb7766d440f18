package dev.penstock.limit.simulate;

import dev.penstock.limit.LimitController;
import dev.penstock.limit.LoadSample;

/** Whatever decides how many permits there are, as the simulator sees it: by samples, or by each attempt. */
interface Tuner extends LimitController {
    @Override
    default String reason() {
        return "it is simulated";
    }

    @Override
    default void sample(LoadSample sample) {
        // It looks at each attempt instead.
    }

    /** How long an attempt that has its permit waits before it begins, in nanoseconds. */
    default long pace(long now) {
        return 0;
    }

    /** An attempt begins. */
    default void started(Attempt attempt) {
        // It looks at samples, or at ends alone.
    }

    /**
     * An attempt has finished.
     *
     * @param now when
     * @param nanos how long it was at the target
     * @param inFlight how many permits were out while it was, its own included, as of its end
     * @param outcome how its permit was closed
     */
    default void finished(long now, long nanos, int inFlight, LimitController.Outcome outcome) {
        // It looks at samples instead.
    }

    /** A limit that never changes. */
    record Constant(int permits) implements Tuner {}

    /** A controller of the house. */
    record Ours(LimitController controller) implements Tuner {
        @Override
        public int permits() {
            return controller.permits();
        }

        @Override
        public String reason() {
            return controller.reason();
        }

        @Override
        public void sample(LoadSample sample) {
            controller.sample(sample);
        }

        @Override
        public void blocked(long now, long refused) {
            controller.blocked(now, refused);
        }
    }
}
