/**
 * The measurements of a load, and their validity. Three histograms separate the latency as callers see it (response,
 * from the <em>intended</em> start), the time of the service (service, from the actual start), and the delay of the
 * generator itself (lag). Each is an HdrHistogram from 1 us to 1 h with 3 significant digits.
 *
 * <pre>
 *   intended start       actual start               end
 *        |------- lag --------|------- service ------|
 *        |----------------- response ----------------|
 * </pre>
 *
 * <p>Measuring from the actual start alone hides the waiting time of transactions that started late, and makes a
 * stalled service look fast ("coordinated omission", Gil Tene, 2013).
 *
 * <pre>
 *   transactions --> LoadRecorder --> Recorded ------------------> LoadResult (the whole window, and its 10 slices)
 *                        |                                            |
 *                        +--> TimeLineRecorder --> TimeLine ----------+
 *                                  |    |             |
 *        this JVM, other processes, sockets     SteadyState (pure: did it settle?)
 * </pre>
 *
 * <p>{@link dev.penstock.lab.measure.LoadRecorder} records, {@link dev.penstock.lab.measure.LoadResult} is the result.
 * {@link dev.penstock.lab.measure.ProcessProbe} measures this JVM, {@link dev.penstock.lab.measure.ChildProbe} another
 * process, and {@link dev.penstock.lab.measure.TimeLine} all of it per interval.
 */
@NullMarked
package dev.penstock.lab.measure;

import org.jspecify.annotations.NullMarked;
