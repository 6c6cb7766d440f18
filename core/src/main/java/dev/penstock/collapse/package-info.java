/**
 * Request collapsing: sends many requests to a target in one call.
 *
 * <pre>{@code
 *   request --+
 *   request --+--> open Batch --------------------> breaker > limit --> BatchDispatch --> target
 *   request --+    closed when no more requests     one permit for      seals the         takes a list of requests,
 *             |    are expected soon, when full,    the batch, which    batch             returns one ending for each
 *             |    or when the budget is spent      grows meanwhile                         |
 *             +<------------------------------- each caller gets its ending -----------------+
 * }</pre>
 *
 * <p>Use it when a call with a hundred requests costs the target hardly more than a call with one. By default a request waits
 * for others for at most a tenth of the mean call time, and not at all when no other request is expected within that time.
 * Equal requests are not merged unless declared the {@linkplain dev.penstock.Collapse#same same}.
 *
 * <p>Where to find what: {@link dev.penstock.Collapse} is the configuration, {@link dev.penstock.collapse.Collapser}
 * the stage. Decisions, without threads: {@code WindowController} decides when a batch is sent, using {@code ArrivalRate} for
 * random arrivals, {@code ReturningCallers} and {@code BatchMerging} for closed-loop callers, and {@code CallTime} for all.
 * Threads: {@code Batcher}; callers and batches race in {@code Batch} and {@code BatchItem}. {@link
 * dev.penstock.BatchEndings} is the answer of a target, {@link dev.penstock.BatchCounts} the statistics.
 *
 * <p>The pattern is as old as group commit (DeWitt et al., Implementation techniques for main memory database systems, 1984);
 * Hystrix called it request collapsing.
 */
@NullMarked
package dev.penstock.collapse;

import org.jspecify.annotations.NullMarked;
