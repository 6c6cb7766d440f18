package dev.penstock.gateway.config;

import dev.penstock.collapse.Prefer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How many requests become one call, of whatever kind. */
public sealed interface CollapseKind permits CollapseConfig, JdbcCollapse, JmsCollapse {
    /** Where the file asks for it. */
    FileLocation place();

    /** How many requests a batch has at most. */
    Configured<Integer> max();

    /** How long a request waits for others at most; null leaves it to Penstock. */
    @Nullable
    Configured<Budget> budget();

    /** What batches are for; auto unless given. */
    Configured<Prefer> prefer();

    /** How long a request waits for others at most. */
    sealed interface Budget {
        /**
         * A part of the time that calls take.
         *
         * @param part 0 to 1
         */
        record Share(double part) implements Budget {}

        /**
         * A time.
         *
         * @param most 0 to 1 min
         */
        record Time(Duration most) implements Budget {}
    }
}
