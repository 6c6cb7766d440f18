package dev.penstock.lab.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was seen from interval to interval, everything on one clock: seconds since the load began. Immutable.
 *
 * <p>The series of a load, as far as they could be told; what ended is counted where it ended:
 *
 * <pre>
 *   rate, tps, errors            due, right answers, other endings; for each second
 *   p50_ms, p99_ms, max_ms       response of what ended; percentiles of too few are not there, max_ms always is
 *   lag_ms                       how late the generator started one at most
 *   in_flight                    at the end of the interval, as are heap_mb, threads, child_rss_mb and tcp_established
 *   cpu_percent, alloc_mb_per_s, this JVM, virtual threads included; 100 % is one core; gc_ms is the length of all
 *     heap_mb, gc_ms, threads    pauses in the interval, threads are platform threads
 *   child_cpu_percent,           the processes watched beside it, all together
 *     child_rss_mb
 *   tcp_established,             the whole machine, or the container: connections, segments sent again, datagrams that
 *     tcp_retransmits, udp_drops found a full receive buffer
 * </pre>
 *
 * @param warmUpSeconds how much of its beginning is in no other figure; 0 for none
 * @param at the end of each interval
 * @param series by name, one value for each interval; null where there was nothing to tell
 * @param faults when the dependency was made to fail
 * @param unsteady one sentence when no steady state was reached; null when it was
 */
public record TimeLine(
        double warmUpSeconds,
        List<Double> at,
        Map<String, List<@Nullable Double>> series,
        List<Fault> faults,
        @Nullable String unsteady) {
    /**
     * A stretch of time in which something was made to fail.
     *
     * @param kind what, in a word, for instance {@code fin}
     * @param from seconds since the load began
     * @param to the same, not included
     */
    public record Fault(String kind, double from, double to) {}

    /**
     * Copies what it is given, in its order.
     *
     * @throws IllegalArgumentException when a series has another length than {@code at}
     */
    public TimeLine {
        at = List.copyOf(at);
        faults = List.copyOf(faults);
        Map<String, List<@Nullable Double>> copy = new LinkedHashMap<>();
        for (Map.Entry<String, List<@Nullable Double>> entry : series.entrySet()) {
            if (entry.getValue().size() != at.size()) {
                throw new IllegalArgumentException("the series " + entry.getKey() + " has "
                        + entry.getValue().size() + " values for " + at.size() + " intervals");
            }
            copy.put(entry.getKey(), Collections.unmodifiableList(new ArrayList<>(entry.getValue())));
        }
        series = Collections.unmodifiableMap(copy);
    }

    /** The same with these faults. */
    public TimeLine withFaults(List<Fault> these) {
        return new TimeLine(warmUpSeconds, at, series, these, unsteady);
    }
}
