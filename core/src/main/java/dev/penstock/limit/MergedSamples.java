package dev.penstock.limit;

import org.jspecify.annotations.Nullable;

/**
 * Adds up the samples of flows that share a target, so that they follow one another without overlap: each begins where the one
 * before it ended, and lasts {@value LoadSamples#STRETCH_NANOS} ns or more. The samples of one flow alone pass as they are.
 *
 * <p>Pure; not safe for many threads.
 */
final class MergedSamples {
    private @Nullable LoadSample sum;
    private @Nullable Long end;

    /**
     * Takes a sample of one flow.
     *
     * @param inFlight how many permits are out, to all flows
     * @return the sum of what came since the last sum; null while its stretch is too short
     */
    @Nullable
    LoadSample add(LoadSample part, int inFlight) {
        long from = end == null ? part.from() : end;
        LoadSample before = sum;
        LoadSample now = before == null ? part.during(from, part.to(), inFlight) : before.plus(part, inFlight);
        if (now.to() - from < LoadSamples.STRETCH_NANOS) {
            sum = now;
            return null;
        }
        sum = null;
        end = now.to();
        return now;
    }
}
