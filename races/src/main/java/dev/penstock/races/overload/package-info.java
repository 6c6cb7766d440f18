/**
 * The race {@code overload}: a stage that is asked for more than it can do, with a limiter before it, in one JVM.
 *
 * <pre>
 *   runner's JVM                      contestant's JVM
 *   Yardstick: work, capacity  -----> Traffic (OpenLoad, ClosedLoad) --> Doorway --> Stage (20 ms wait, 4 ms CPU)
 *   Sweep: best bulkhead                        |                          |
 *                                             Tally: useful, late          +--> rejected
 * </pre>
 *
 * <p>Handlers, rejections and the load's generator share the cores on purpose: that a server at its limit cannot even say no is
 * what is measured. Each contestant is one line in {@link dev.penstock.races.overload.OverloadContestants}, and decides where its API
 * lets it:
 *
 * <ul>
 *   <li>on the thread that accepts, before the hop to a virtual thread: the bulkheads without a wait, Gradient2, Vegas, Sentinel;
 *   <li>there too, where the work goes to a pool: the pools of platform threads, which refuse when they are handed a request, and
 *       Hystrix, which is observed, not waited for;
 *   <li>behind the hop, on the virtual thread of the request: the bulkheads with a wait, since asking them waits;
 *   <li>nowhere: the unlimited ones. Platform threads end at 10,000, for the machine does.
 * </ul>
 *
 * <p>In the closed loop each user is a virtual thread and asks itself; only pools take the work to other threads.
 *
 * <p>The block ends 1 s after its last request was due, whatever is still in it: nothing that could come would be of use.
 */
@NullMarked
package dev.penstock.races.overload;

import org.jspecify.annotations.NullMarked;
