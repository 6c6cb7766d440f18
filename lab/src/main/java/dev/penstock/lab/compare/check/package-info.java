/**
 * Checks whether a table of results can be correct, by invariants of all measurements, whatever tool made it.
 *
 * <pre>
 *   TableFile --> ResultRow, ... --> TableCheck --> Finding, ...
 *   (our files, JTL, k6,            (order of times, means,
 *    CSV and Markdown tables)        errors, rates, users, totals)
 * </pre>
 *
 * <p>Each value is an interval: a printed 6.7 was between 6.65 and 6.75. IMPOSSIBLE is reported only when no values
 * within those intervals satisfy the invariant.
 */
@NullMarked
package dev.penstock.lab.compare.check;

import org.jspecify.annotations.NullMarked;
