package dev.penstock.lab.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values per interval, all by one clock: seconds since the start of the load. Immutable.
 *
 * <p>The series of a load, as far as available; transactions count in the interval in which they ended:
 *
 * <pre>
 *   rate, tps, errors            due, correct answers, other endings; per second
 *   p50_ms, p99_ms, max_ms       response times; percentiles with too few samples are absent, max_ms is always present
 *   lag_ms                       maximum lag of the generator
 *   in_flight                    at the end of the interval, as are heap_mb, threads, child_rss_mb and tcp_established
 *   cpu_percent, alloc_mb_per_s, this JVM, including virtual threads; 100 % is one core; gc_ms is the total of all
 *     heap_mb, gc_ms, threads    pauses in the interval, threads are platform threads
 *   child_cpu_percent,           the other watched processes, summed
 *     child_rss_mb
 *   share_1, share_2, share_3    of a demo: the permits of each gateway of a fleet
 *   tcp_established,             the whole machine, or the container: connections, retransmitted segments, datagrams
 *     tcp_retransmits, udp_drops dropped at full receive buffers
 * </pre>
 *
 * @param warmUpSeconds the initial time that no other metric includes; 0 for none
 * @param at the end of each interval
 * @param series by name, one value per interval; null when unknown
 * @param faults the times of injected faults
 * @param unsteady one sentence when no steady state was reached; null otherwise
 */
public record TimeLine(
        double warmUpSeconds,
        List<Double> at,
        Map<String, List<@Nullable Double>> series,
        List<Fault> faults,
        @Nullable String unsteady) {
    /**
     * The time range of an injected fault.
     *
     * @param kind one word, for instance {@code fin}
     * @param from seconds since the start of the load
     * @param to the same, exclusive
     */
    public record Fault(String kind, double from, double to) {}

    /**
     * Copies the arguments.
     *
     * @throws IllegalArgumentException when a series and {@code at} differ in length
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

    /** A copy with one more series, of values that are all known. */
    public TimeLine with(String name, List<Double> values) {
        Map<String, List<@Nullable Double>> all = new LinkedHashMap<>(series);
        all.put(name, new ArrayList<>(values));
        return new TimeLine(warmUpSeconds, at, all, faults, unsteady);
    }

    /** A copy with these faults. */
    public TimeLine withFaults(List<Fault> these) {
        return new TimeLine(warmUpSeconds, at, series, these, unsteady);
    }
}
