/**
 * Limits concurrent calls to the target, and queues further requests for a bounded time.
 *
 * <pre>{@code
 *            permit free, no queue, enough time for an answer
 *   request --+-------------------------------------------------------+--> target --> permit released as
 *             |                                                       |               success, dropped, failed, ...
 *             | rejected immediately, on its own thread:              |                   |            |
 *             |   queue full            -> Rejected(limit)            |                   |            v
 *             |   too little time       -> Rejected(deadline)         |                   |   LoadSamples Turn
 *             v                                                       |                   |        |      |
 *          UrgencyQueue: by urgency, then by arrival -----------------+ <- permit free ---+        |      |
 *             |   waited too long       -> Rejected(queue)                                         v      v
 *             |   too little time left  -> Rejected(deadline)                            ServiceTime    LimitController
 *             |   displaced by urgency  -> Rejected(limit)                                         |      |
 *             +---- bounds: QueuePolicy <----------------------------------------------------------+      +-> permits
 * }</pre>
 *
 * <p>Use it for a target that gets slower or fails with too many concurrent calls. In flight = rate x time (Little's law): a
 * limit of 100 allows 100 transactions a second to a target that answers in one second.
 *
 * <p>A permit can be reserved before a transaction begins ({@link dev.penstock.limit.Limit#admit}), so that a source can
 * reject a request before it hands it to another thread.
 *
 * <p>Where the target refuses calls beyond a rate, a call with a permit also waits for its slot: slots are evenly spaced ({@code
 * RateBound}).
 *
 * <p>{@link dev.penstock.limit.LimitFilter} is the stage, {@link dev.penstock.limit.Limit} the permits and the queue of one flow,
 * {@link dev.penstock.limit.SharedLimit} the limit of the target. Classes without threads decide: a {@link
 * dev.penstock.limit.LimitController} ({@link dev.penstock.limit.AdaptiveLimit}, {@link dev.penstock.limit.FixedLimit}) how many
 * permits there are, {@link dev.penstock.limit.QueuePolicy} which requests may wait, {@link dev.penstock.limit.UrgencyQueue}
 * which one is next; {@link dev.penstock.limit.ServiceTime} estimates how long calls take.
 */
@NullMarked
package dev.penstock.limit;

import org.jspecify.annotations.NullMarked;
