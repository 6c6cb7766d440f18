package dev.penstock.gateway.config;

import dev.penstock.collapse.Prefer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Batching of several requests into one call, for any kind of target. */
public sealed interface CollapseKind permits CollapseConfig, CollapseKind.JdbcCollapse, CollapseKind.JmsCollapse {
    /** Location in the file. */
    FileLocation location();

    /** The maximum number of requests in a batch. */
    Configured<Integer> max();

    /** The longest time a request waits for others; null is adaptive. */
    @Nullable
    Configured<Budget> budget();

    /** Whether to optimise for fewer calls or for latency; default auto. */
    Configured<Prefer> prefer();

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

    /**
     * Batching of several database requests into one batch or one query.
     *
     * @param location where it is in the file
     * @param max the maximum batch size; the default depends on the kind of statement
     * @param budget the longest time a request waits for others; null is adaptive
     * @param prefer whether to optimise for fewer calls or for latency; default auto
     * @param key the parameter that orders requests with equal values across batches; null for none
     * @param lookup the column that matches rows to requests; null for a statement that writes
     */
    public record JdbcCollapse(
            FileLocation location,
            Configured<Integer> max,
            @Nullable Configured<Budget> budget,
            Configured<Prefer> prefer,
            @Nullable Configured<String> key,
            @Nullable Configured<String> lookup)
            implements CollapseKind {}

    /**
     * Batching of several messages into one commit.
     *
     * @param location where it is in the file
     * @param max the maximum batch size
     * @param budget the longest time a message waits for others; null is adaptive
     * @param prefer whether to optimise for fewer commits or for latency; default auto
     */
    public record JmsCollapse(
            FileLocation location,
            Configured<Integer> max,
            @Nullable Configured<Budget> budget,
            Configured<Prefer> prefer)
            implements CollapseKind {}
}
