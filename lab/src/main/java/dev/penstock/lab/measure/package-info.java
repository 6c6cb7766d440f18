/**
 * What is measured of a load, and when it may be believed. Three histograms tell apart what a caller felt (response, from
 * the <em>intended</em> start), what the service took (service, from the actual start), and how late the generator itself
 * was (lag); each is an HdrHistogram from 1 us to 1 h with 3 digits.
 *
 * <pre>
 *   intended start       actual start               end
 *        |------- lag --------|------- service ------|
 *        |----------------- response ----------------|
 * </pre>
 *
 * <p>Times taken from the actual start alone hide the wait of those that had to start late, and so make a stalled service
 * look fast ("coordinated omission", Gil Tene, 2013).
 *
 * <pre>
 *   transactions --> LoadRecorder --> Recorded ------------------> LoadResult (the whole window, and 10 slices of it)
 *                        |                                            |
 *                        +--> TimeLineRecorder --> TimeLine ----------+
 *                                  |    |             |
 *        this JVM, other processes, sockets     SteadyState (pure: did it settle?)
 * </pre>
 *
 * <p>{@link dev.penstock.lab.measure.LoadRecorder} gathers, {@link dev.penstock.lab.measure.LoadResult} is what comes out;
 * {@link dev.penstock.lab.measure.ProcessProbe} watches this JVM, {@link dev.penstock.lab.measure.ChildProbe} another
 * process, and {@link dev.penstock.lab.measure.TimeLine} is all of it from interval to interval.
 */
@NullMarked
package dev.penstock.lab.measure;

import org.jspecify.annotations.NullMarked;
