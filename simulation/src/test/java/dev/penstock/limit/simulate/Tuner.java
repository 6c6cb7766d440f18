package dev.penstock.limit.simulate;

import dev.penstock.limit.LimitController;
import dev.penstock.limit.Turn;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Whatever decides how many permits there are, as the simulator sees it: by samples, or by each attempt. */
interface Tuner extends LimitController {
    @Override
    default String reason() {
        return "it is simulated";
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
        // It looks at turns instead.
    }

    /** What it gets to know of an outcome: the truth. */
    default LimitController.Outcome heard(LimitController.Outcome outcome) {
        return outcome;
    }

    /** A limit that never changes. */
    record Constant(int permits) implements Tuner {}

    /** One of our controllers, and how outcomes reach it. */
    record Ours(LimitController controller, UnaryOperator<Outcome> heard) implements Tuner {
        Ours(LimitController controller) {
            this(controller, UnaryOperator.identity());
        }

        @Override
        public Outcome heard(Outcome outcome) {
            return heard.apply(outcome);
        }

        @Override
        public int permits() {
            return controller.permits();
        }

        @Override
        public String reason() {
            return controller.reason();
        }

        @Override
        public @Nullable Turn turn(long now) {
            return controller.turn(now);
        }

        @Override
        public long pace(long now, long most) {
            return controller.pace(now, most);
        }

        @Override
        public void update(long now, int inFlight) {
            controller.update(now, inFlight);
        }
    }
}
