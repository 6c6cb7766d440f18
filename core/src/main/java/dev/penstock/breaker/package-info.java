/**
 * Stops calling a target that only fails, so that it can recover and callers hear at once.
 *
 * <pre>
 *            connect failures in a row, or too large a share of failures
 *   CLOSED -----------------------------------------------------------> OPEN
 *     ^                                                                 |  its time passes
 *     |   enough trial calls are answered                               v
 *     +---------------------------------------------------------- HALF-OPEN: a few trial calls
 *                                        a trial call fails: OPEN again, for twice as long
 * </pre>
 *
 * <p>The pattern is Michael Nygard's (Release It!, 2007). A rejection by the limit inside of it says nothing about the
 * target and does not count. The rooms: {@link dev.penstock.breaker.Breaker} is the filter, {@link
 * dev.penstock.breaker.BreakerController} decides, {@link dev.penstock.breaker.BreakerState} is what it decides on.
 */
@NullMarked
package dev.penstock.breaker;

import org.jspecify.annotations.NullMarked;
