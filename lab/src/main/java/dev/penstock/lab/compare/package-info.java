/**
 * Decides whether two results differ.
 *
 * <pre>
 *   ResultFile A --> MergedRuns --\
 *                            ResultComparison --> Ratio (interval) --> VerdictRule (verdict)
 *   ResultFile B --> MergedRuns --/                                           ^
 *                                                     Noise (margin) --------/
 * </pre>
 *
 * <p>Races use {@link dev.penstock.lab.compare.Ratio}, {@link dev.penstock.lab.compare.VerdictRule} and
 * {@link dev.penstock.lab.compare.Noise} too. Files of other generators are read in {@code foreign}; consistency of
 * tables is checked in {@code check}.
 */
@NullMarked
package dev.penstock.lab.compare;

import org.jspecify.annotations.NullMarked;
