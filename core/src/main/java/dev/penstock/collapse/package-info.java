/**
 * Carries many requests to a target by one call, and lets none wait for nothing.
 *
 * <pre>
 *   request --+
 *   request --+--> open Batch --------------------> breaker > limit --> Departure --> target
 *   request --+    leaves when no more are to       one permit for      sealed here:  List of requests in,
 *             |    be expected soon, when full,     all of them; until  until now it  one ending for each out
 *             |    or when the budget is spent      it has it, it grows grows             |
 *             +<------------------------------------ each its own ending --------------------+
 * </pre>
 *
 * <p>Use it where one call for a hundred requests costs the target hardly more than one for one of them. A request waits a
 * tenth of a call's time at the most, and not at all when nobody else is to be expected in that time. Equal requests stay
 * two unless they are said to be the {@linkplain dev.penstock.collapse.Collapse#same same}.
 *
 * <p>The rooms: {@link dev.penstock.collapse.Collapse} says what is wanted, {@link dev.penstock.collapse.Collapser} is the
 * stage. Pure deciders: {@code WindowController} when a batch leaves, by {@code ArrivalRate} for those who come at random,
 * {@code ReturningCallers} and {@code BatchMerging} for those who ask again once they are answered, {@code CallTime} for all. Threads are in
 * {@code Batcher}; {@code Batch} and {@code BatchItem} are what callers and batches race for. {@link
 * dev.penstock.collapse.BatchEndings} is what a target answers, {@link dev.penstock.collapse.BatchCounts} what came of it all.
 *
 * <p>The pattern is as old as group commit (DeWitt et al., Implementation techniques for main memory database systems, 1984);
 * Hystrix called it request collapsing.
 */
@NullMarked
package dev.penstock.collapse;

import org.jspecify.annotations.NullMarked;
