/**
 * Curves fitted to (concurrency, throughput) samples, and their knees. Pure functions.
 * <pre>
 *   Sample... --> UslCurve, CappedLine --> chosen by AIC --> knee, with a bootstrap confidence interval (KneeFit)
 * </pre>
 */
@NullMarked
package dev.penstock.lab.probe.fit;

import org.jspecify.annotations.NullMarked;
