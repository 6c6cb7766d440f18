/**
 * Load on any {@link dev.penstock.Service}. Open model ({@link dev.penstock.lab.load.OpenLoad}): transactions start
 * when they are due, however slow the service is. Closed model ({@link dev.penstock.lab.load.ClosedLoad}): a fixed
 * number of users, each waits for its answer. Prefer the open model: real callers do not wait for each other.
 *
 * <pre>{@code
 *    Shape (a rate over time)
 *      |
 *    Arrivals --> Pace (pure: park, spin, start or end) --> a virtual thread per transaction --> service
 *                                                      \-> or directly: Intake.take           |
 *                                                                |                           |
 *                                                                +--> measure.LoadRecorder <-+   (and an EndListener)
 * }</pre>
 *
 * <p>{@link dev.penstock.lab.load.Calibration} finds the rates this machine can generate.
 */
@NullMarked
package dev.penstock.lab.load;

import org.jspecify.annotations.NullMarked;
