/**
 * Files that results come in: ours, and those of other load generators, told apart by what is in them.
 *
 * <pre>
 *   ResultSource.read --> ours (JSON)             as it is
 *                     --> JMeter (JTL, as CSV)    every sample, at constant memory
 *                     --> k6 (summary JSON)       what it tells
 * </pre>
 *
 * <p>What came from elsewhere says so in the setting {@code generator} of its contestant. Its times count from when a
 * transaction was sent, not from when it was due: such a generator waits with a stalled service and so leaves out what its
 * callers would have waited (coordinated omission). No import can add that again.
 */
@NullMarked
package dev.penstock.lab.compare.foreign;

import org.jspecify.annotations.NullMarked;
