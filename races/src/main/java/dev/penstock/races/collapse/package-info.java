/**
 * The race {@code collapse}: many callers of an API that can answer many at once, and what puts their requests together, in one
 * JVM.
 *
 * <pre>
 *   ClosedLoad, OpenLoad --> Callers (checks, counts) --> Contestant --> SimulatedApi
 *                                                      one by one          waits a call's time, whatever its size,
 *                                                      or in batches       answers each item, knows each item again
 * </pre>
 *
 * <p>The API is a wait and nothing else, so what a contestant costs is its own. It answers whoever blocks by making that thread
 * wait, and whoever does not by a future. Each contestant is one line in {@link
 * dev.penstock.races.collapse.CollapseContestants}; none is bounded by anything but its own way of making batches, and all take {@value
 * dev.penstock.races.collapse.CollapseContestants#MOST_IN_A_BATCH} requests in one at most.
 *
 * <p>In the open courses {@link dev.penstock.races.collapse.WaitingCurve} tells what any batcher can have for its waiting.
 */
@NullMarked
package dev.penstock.races.collapse;

import org.jspecify.annotations.NullMarked;
