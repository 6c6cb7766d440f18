/**
 * The outermost and the innermost stage: count transactions by ending and measure their times.
 *
 * <pre>
 *   offered --> MeterFilter > every other stage ... > AttemptFilter --> target
 *               counts endings,                       times each attempt on its own,
 *               times the whole                       turns exceptions into endings
 * </pre>
 *
 * <p>Every flow has both; there is nothing to configure. They count in a {@link dev.penstock.meter.Meter} and an {@link
 * dev.penstock.meter.AttemptMeter}, which the breaker reads. {@link dev.penstock.meter.OutcomeCounters} explains why the counts
 * are exact and a snapshot of them is consistent.
 */
@NullMarked
package dev.penstock.meter;

import org.jspecify.annotations.NullMarked;
