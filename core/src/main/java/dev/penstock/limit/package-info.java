/**
 * How many transactions may be at the target at once, and how long others wait for their turn.
 *
 * <pre>
 *                    permit free, nobody waits
 *   request --+-------------------------------------+--> target --> Permit closed as
 *             |                                     |               success, dropped or ignored
 *             +--> WaitQueue, first come first served                   |
 *             |      full            -> Rejected(limit)     next waiter <+
 *             |      waited too long -> Rejected(queue)
 *             |      its time is up  -> Rejected(deadline)
 * </pre>
 *
 * <p>Use it wherever a target does worse when it has more to do at once. In flight = rate x time (Little's law): a limit of
 * 100 carries 100 transactions a second to a target that answers in one second.
 *
 * <p>The rooms: {@link dev.penstock.limit.Limit} is the filter, {@link dev.penstock.limit.LimitController} decides how many
 * ({@link dev.penstock.limit.FixedLimit} always the same), {@link dev.penstock.limit.WaitQueue} holds who waits.
 */
@NullMarked
package dev.penstock.limit;

import org.jspecify.annotations.NullMarked;
