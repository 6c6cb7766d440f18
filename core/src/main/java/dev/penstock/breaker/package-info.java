/**
 * Stops calls to a target that only fails or gives no answers, so that the target can recover and callers are
 * rejected immediately.
 *
 * <pre>
 *            consecutive failures, too large a share of failures,
 *            or no answers at all, each for long enough
 *   CLOSED -----------------------------------------------------------> OPEN
 *     ^  ^                                                              |
 *     |  +--- calls in flight are answered after all ------------------+
 *     |                                                                 |  the open time passes
 *     |   enough trial calls are answered                               v
 *     +---------------------------------------------------------- HALF-OPEN: a few trial calls
 *                                        too many trial calls fail: OPEN again, for twice as long
 * </pre>
 *
 * <p>The pattern is Michael Nygard's (Release It!, 2007). A rejection by the limit, which is inside the breaker, does not show
 * the state of the target and does not count. {@link dev.penstock.breaker.BreakerFilter} is the stage, {@link
 * dev.penstock.breaker.Breaker} its state machine, {@link dev.penstock.breaker.BreakerController} decides, {@link
 * dev.penstock.breaker.BreakerState} is the state, {@link dev.penstock.breaker.CallCounts} and {@link
 * dev.penstock.breaker.NoAnswer} are the measurements. A {@link dev.penstock.breaker.Breaker.Listener} is notified when the
 * breaker opens and closes.
 */
@NullMarked
package dev.penstock.breaker;

import org.jspecify.annotations.NullMarked;
