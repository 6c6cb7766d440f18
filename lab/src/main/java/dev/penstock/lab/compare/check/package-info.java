/**
 * Checks whether results can be correct, by invariants of all measurements, whatever tool made them.
 *
 * <pre>
 *   ResultFile (ours, JTL or k6) --> ResultRow, ... --> TableCheck (totals, errors, rates) --> Finding, ...
 *   TableFile (CSV or Markdown)  -->                    TimeChecks (order of times, means)
 * </pre>
 *
 * <p>Each value is an interval: a printed 6.7 was between 6.65 and 6.75. IMPOSSIBLE is reported only when no values
 * within those intervals satisfy the invariant.
 */
@NullMarked
package dev.penstock.lab.compare.check;

import org.jspecify.annotations.NullMarked;
