package dev.penstock;

import org.HdrHistogram.Histogram;

/**
 * A report of one stage of a flow.
 *
 * @param stage its name: {@code flow} for the whole flow, {@code dedupe} for requests with a key (its times are those of
 *     claiming the key), {@code retry} for retries (not first attempts), {@code settle} for unknown endings to resolve, {@code
 *     collapse} for requests in batches, {@code breaker}, {@code queue} for the wait for a permit, {@code target}
 *     for the attempts
 * @param started how many of these there were; for the breaker, how often it opened
 * @param perSecond the rate of those, per second over the last 10 s
 * @param inFlight the number now in it
 * @param capacity the maximum number in it; 0 when unlimited
 * @param note its state, in one sentence
 * @param times the times, in nanoseconds, as a copy; empty for a stage that takes no time of its own
 */
public record StageReport(
        String stage, long started, double perSecond, long inFlight, long capacity, String note, Histogram times) {}
