/**
 * Load on any {@link dev.penstock.Service}: open ({@link dev.penstock.lab.load.OpenLoad}: transactions start when they are
 * due, however slow the service is) or closed ({@link dev.penstock.lab.load.ClosedLoad}: so many users, each waits for its
 * answer). Prefer the open one: real callers do not wait for one another.
 *
 * <pre>
 *   Shape (a rate over time)
 *      |
 *   Arrivals --> Pace (pure: park, spin, start or end) --> a virtual thread for each transaction --> service
 *                                                     \-> or at once: Intake.take           |
 *                                                               |                           |
 *                                                               +--> measure.LoadRecorder <-+   (and an EndListener)
 * </pre>
 *
 * <p>{@link dev.penstock.lab.load.Calibration} tells which rates this machine is good for.
 */
@NullMarked
package dev.penstock.lab.load;

import org.jspecify.annotations.NullMarked;
