package dev.penstock;

import org.jspecify.annotations.Nullable;

/**
 * Follows the transactions of flows, for traces and records: see {@link dev.penstock.flow.FlowBuilder#observer}. It is called
 * on the threads of transactions, so it must be quick and must not block. What it throws is dropped; the first time is logged.
 *
 * <p>Must be thread-safe.
 */
@FunctionalInterface
public interface Observer {
    /**
     * A transaction begins on the calling thread.
     *
     * @param flow the name of its flow
     * @param request the request; null when it was rejected before it was known
     * @param now the reading of the flow's ticker, in nanoseconds
     * @return what follows the transaction; null when it is not followed
     */
    @Nullable
    Observation begin(String flow, @Nullable Object request, long now);
}
