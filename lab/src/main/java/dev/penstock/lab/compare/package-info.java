/**
 * Tells whether two results differ.
 *
 * <pre>
 *   ResultFile A --> Runs --\
 *                            ResultComparison --> Ratio (interval) --> Judge (verdict)
 *   ResultFile B --> Runs --/                                            ^
 *                                                     Noise (margin) ----/
 * </pre>
 *
 * <p>{@link dev.penstock.lab.compare.Ratio}, {@link dev.penstock.lab.compare.VerdictRule} and {@link
 * dev.penstock.lab.compare.Noise} are what races judge by too. Files of other generators are read in {@code foreign}; whether
 * a table can be true at all is told in {@code check}.
 */
@NullMarked
package dev.penstock.lab.compare;

import org.jspecify.annotations.NullMarked;
