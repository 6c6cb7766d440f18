/**
 * Curves through measured points (calls at once, answers a second), and where they bend. Pure.
 *
 * <pre>
 *   Sample... --> UslCurve, CappedLine --> chosen by AIC --> Knee, with an interval by the bootstrap (KneeFit)
 * </pre>
 */
@NullMarked
package dev.penstock.lab.probe.fit;

import org.jspecify.annotations.NullMarked;
