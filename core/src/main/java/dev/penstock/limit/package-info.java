/**
 * How many transactions may be at the target at once, and how long others wait for their turn.
 *
 * <pre>
 *            permit free, nobody waits, time enough for an answer
 *   request --+-------------------------------------------------------+--> target --> Permit closed as
 *             |                                                       |               success, dropped or ignored
 *             | told at once, on its own thread:                      |                   |            |
 *             |   no room in line     -> Rejected(limit)              |                   |            v
 *             |   no time for it      -> Rejected(deadline)           |                   |       LoadSample
 *             v                                                       |                   |        |      |
 *          UrgencyQueue: the most urgent first, then who came first ------+ <- next in line --+        |      |
 *             |   waited long enough  -> Rejected(queue)                                           v      v
 *             |   no answer in time   -> Rejected(deadline)                               ServiceTime   LimitController
 *             |   more urgent ones    -> Rejected(limit)                                           |      |
 *             +---- bounds: QueuePolicy <------------------------------------------------------------+      +-> permits
 * </pre>
 *
 * <p>Use it wherever a target does worse when it has more to do at once. In flight = rate x time (Little's law): a limit of
 * 100 carries 100 transactions a second to a target that answers in one second.
 *
 * <p>A place can be taken before a transaction begins ({@link dev.penstock.limit.Limit#admit}), so that a source knows
 * whether to reject before it hands over to another thread.
 *
 * <p>The rooms: {@link dev.penstock.limit.Limit} is the filter. Pure deciders: {@link dev.penstock.limit.LimitController} how
 * many ({@link dev.penstock.limit.AdaptiveLimit} by the slope of its {@link dev.penstock.limit.ThroughputCurve}; {@link
 * dev.penstock.limit.FixedLimit} always the same), {@link dev.penstock.limit.QueuePolicy} who may wait, {@link dev.penstock.limit.UrgencyQueue} who is next, {@link dev.penstock.limit.ServiceTime} how long calls take. Around them
 * {@link dev.penstock.limit.WaitQueue} has the threads.
 */
@NullMarked
package dev.penstock.limit;

import org.jspecify.annotations.NullMarked;
