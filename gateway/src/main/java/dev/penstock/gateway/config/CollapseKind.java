package dev.penstock.gateway.config;

import dev.penstock.Collapse;
import dev.penstock.flow.TargetLimit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Batching of several requests into one call, for any kind of target. */
public interface CollapseKind {
    /** Location in the file. */
    FileLocation location();

    /** The maximum number of requests in a batch. */
    Configured<Integer> max();

    /** The longest time a request waits for others; null is adaptive. */
    @Nullable
    Configured<Budget> budget();

    /** The maximum number of concurrent batches, where the file leaves it to the gateway. */
    default int atOnce() {
        return TargetLimit.MOST;
    }

    /** The longest time a request waits for others. */
    sealed interface Budget {
        /**
         * A fraction of the measured call time.
         *
         * @param part 0 to 1
         */
        record Share(double part) implements Budget {}

        /**
         * A fixed duration.
         *
         * @param most 0 to 1 min
         */
        record Time(Duration most) implements Budget {}
    }

    /** Adds the configured batch size and longest wait. */
    default <Q, R> Collapse<Q, R> bounded(Collapse<Q, R> collapse) {
        Collapse<Q, R> sized = max().inFile() ? collapse.max(max().value()) : collapse;
        Configured<Budget> budget = budget();
        if (budget == null) {
            return sized;
        }
        return switch (budget.value()) {
            case Budget.Share(double part) -> sized.budget(part);
            case Budget.Time(Duration most) -> sized.budget(most);
        };
    }
}
