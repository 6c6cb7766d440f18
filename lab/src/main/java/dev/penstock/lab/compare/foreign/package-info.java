/**
 * Formats of result files: Penstock's and those of other load generators, detected by their content.
 *
 * <pre>
 *   ResultSource.read --> Penstock (JSON)        as it is
 *                     --> JMeter (JTL, as CSV)   every sample, with constant memory
 *                     --> k6 (summary JSON)      the summary's metrics
 * </pre>
 *
 * <p>Results of other generators have the setting {@code generator} in their contestant. Their times start at the
 * actual send, not at the intended start: such a generator waits together with a stalled service, so its times omit the
 * waiting of callers (coordinated omission). An import cannot restore that.
 */
@NullMarked
package dev.penstock.lab.compare.foreign;

import org.jspecify.annotations.NullMarked;
