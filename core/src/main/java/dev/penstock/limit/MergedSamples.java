package dev.penstock.limit;

import org.jspecify.annotations.Nullable;

/**
 * Merges the samples of flows that share a target into consecutive samples without overlap: each begins where the last one
 * ended, and covers {@value LoadSamples#INTERVAL_NANOS} ns or more. The samples of a single flow pass unchanged.
 *
 * <p>No side effects; not thread-safe.
 */
final class MergedSamples {
    private @Nullable LoadSample sum;
    private @Nullable Long end;

    /**
     * Adds a sample of one flow.
     *
     * @param inFlight the number of permits held by all flows
     * @return the merged sample; null while its interval is too short
     */
    @Nullable
    LoadSample add(LoadSample part, int inFlight) {
        long from = end == null ? part.from() : end;
        LoadSample before = sum;
        LoadSample now = before == null ? part.during(from, part.to(), inFlight) : before.plus(part, inFlight);
        if (now.to() - from < LoadSamples.INTERVAL_NANOS) {
            sum = now;
            return null;
        }
        sum = null;
        end = now.to();
        return now;
    }
}
