package dev.penstock.meter;

import org.HdrHistogram.Histogram;

/**
 * What one stage of a flow has done so far.
 *
 * @param stage its name: {@code flow} for the whole way, {@code dedupe} for requests with a key
 *     (times are those of claiming it), {@code retry} for repeats, {@code breaker}, {@code queue} for the
 *     wait for a permit, {@code target} for the attempts
 * @param started how many entered it
 * @param perSecond how many entered it each second, over the last 10 s
 * @param inFlight how many are in it now
 * @param capacity how many it lets in at once; 0 when it sets no bound
 * @param note how it stands, in one sentence
 * @param times how long each took, in nanoseconds, a copy; empty for a stage that takes no time of its own
 */
public record StageReport(
        String stage, long started, double perSecond, long inFlight, long capacity, String note, Histogram times) {}
