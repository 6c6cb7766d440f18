/**
 * Stops calling a target that only fails, or says nothing at all, so that it can recover and callers hear at once.
 *
 * <pre>
 *            connect failures in a row, too large a share of failures,
 *            or no answer to anybody, each for long enough
 *   CLOSED -----------------------------------------------------------> OPEN
 *     ^  ^                                                              |
 *     |  +--- those that were out are answered after all --------------+
 *     |                                                                 |  its time passes
 *     |   enough trial calls are answered                               v
 *     +---------------------------------------------------------- HALF-OPEN: a few trial calls
 *                                        a trial call fails: OPEN again, for twice as long
 * </pre>
 *
 * <p>The pattern is Michael Nygard's (Release It!, 2007). A rejection by the limit inside of it says nothing about the
 * target and does not count. The rooms: {@link dev.penstock.breaker.Breaker} is the filter, {@link
 * dev.penstock.breaker.BreakerController} decides, {@link dev.penstock.breaker.BreakerState} is what it decides on, {@link
 * dev.penstock.breaker.CallCounts} and {@link dev.penstock.breaker.NoAnswer} what it goes by. Who must know when the target is
 * cut off listens ({@link dev.penstock.breaker.Breaker.Listener}).
 */
@NullMarked
package dev.penstock.breaker;

import org.jspecify.annotations.NullMarked;
