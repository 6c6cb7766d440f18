package dev.penstock.gateway.config;

import dev.penstock.collapse.Prefer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How many requests become one call, of whatever kind. */
public sealed interface Collapsing permits CollapseConfig, JdbcCollapse, JmsCollapse {
    /** Where the file asks for it. */
    Place place();

    /** How many requests a batch has at most. */
    Chosen<Integer> max();

    /** How long a request waits for others at most; null leaves it to Penstock. */
    @Nullable
    Chosen<Budget> budget();

    /** What batches are for; auto unless given. */
    Chosen<Prefer> prefer();

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
