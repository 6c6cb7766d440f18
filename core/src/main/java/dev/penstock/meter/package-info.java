/**
 * The outermost stage and the innermost: what was offered, how it ended, how long it took.
 *
 * <pre>
 *   offered --> [ Meter | every other stage ... | AttemptMeter ] --> target
 *                 counts endings,                 times each attempt on its own,
 *                 times the whole                 names what the target threw
 * </pre>
 *
 * <p>Every flow has both; there is nothing to set. The exactness of the counts, and why a snapshot of them is consistent,
 * is explained in {@link dev.penstock.meter.OutcomeCounters}.
 */
@NullMarked
package dev.penstock.meter;

import org.jspecify.annotations.NullMarked;
