/**
 * The race {@code overload}: an overloaded stage behind a limiter, in one JVM.
 *
 * <pre>
 *   runner's JVM                           contestant's JVM
 *   MachineCalibration: work, capacity --> OverloadTraffic --> LimitedStage --> Stage (20 ms wait, 4 ms CPU)
 *   Sweep: best bulkhead                        |                   |
 *                                   GoodputCounter: useful, late    +--> rejected
 * </pre>
 *
 * <p>Handlers, rejections and the load generator deliberately share the cores: the race measures whether an overloaded
 * server can still reject. The contestants are listed in {@link dev.penstock.races.overload.OverloadContestants}. Where
 * each one decides depends on its API:
 * <ul>
 * <li>on the accepting thread, before the switch to a virtual thread: bulkheads without a wait, Gradient2,
 *     Vegas, Sentinel;
 * <li>on the accepting thread, when the work goes to a pool: the pools of platform threads, which reject at the
 *     hand-over, and Hystrix, which is observed, not waited for;
 * <li>on the request's virtual thread: bulkheads with a wait, because asking them blocks;
 * <li>nowhere: the unlimited one.
 * </ul>
 *
 * <p>In the closed model each user is a virtual thread and calls directly; only pools switch threads.
 *
 * <p>A block ends 1 s after its last request was due, whatever is still in flight, because later answers would
 * be useless.
 */
@NullMarked
package dev.penstock.races.overload;

import org.jspecify.annotations.NullMarked;
