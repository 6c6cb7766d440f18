/**
 * The race {@code collapse}: many callers of an API with a batch call, and the libraries that batch their requests, in
 * one JVM.
 *
 * <pre>
 *   ClosedLoad, OpenLoad --> CollapseCallers (checks, counts) --> contestant --> SimulatedApi
 *                                                      single calls        waits for the call time,
 *                                                      or batches          answers each item, detects duplicates
 * </pre>
 *
 * <p>The API only waits, so all other cost is the contestant's own. Blocking callers wait on their thread, others get a
 * future. The contestants are listed in {@link dev.penstock.races.collapse.CollapseContestants}; nothing limits them
 * except their own batching, and all have batches of at most
 * {@value dev.penstock.races.collapse.CollapseContestants#MAX_IN_A_BATCH} requests.
 *
 * <p>In the open courses, {@link dev.penstock.races.collapse.WaitingCurve} shows the theoretical trade-off of
 * any batching.
 */
@NullMarked
package dev.penstock.races.collapse;

import org.jspecify.annotations.NullMarked;
