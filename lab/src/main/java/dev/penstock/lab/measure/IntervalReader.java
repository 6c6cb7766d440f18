package dev.penstock.lab.measure;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Samples one interval of a time line at a time: the changes since the previous sample. For one thread. */
final class IntervalReader {
    private static final double SECOND = 1e9;
    private static final double MB = 1 << 20;

    private final LoadRecorder recorder;
    private final long lasting;
    private final List<ChildProbe> children;
    private long lastDue;
    private long childCpu;
    private JvmUse jvm = JvmUse.now();
    private SocketCounters sockets = SocketCounters.now();

    IntervalReader(LoadRecorder recorder, long lasting, List<ChildProbe> children) {
        this.recorder = recorder;
        this.lasting = lasting;
        this.children = List.copyOf(children);
    }

    /** Discards everything before now. */
    void begin() {
        childCpu = childCpu(samples());
        sockets = SocketCounters.now();
        jvm = JvmUse.now();
    }

    /**
     * Reads the interval that ends now.
     *
     * @param from its start, in nanoseconds since the start of the load
     * @param to now
     * @param inFlight transactions in flight
     */
    Interval read(long from, long to, int inFlight) {
        Map<Series, Double> values = new EnumMap<>(Series.class);
        double seconds = (to - from) / SECOND;
        IntervalTally tally = recorder.takeInterval();
        addStarts(values, from, to);
        addEndings(values, tally, seconds);
        values.put(Series.IN_FLIGHT, (double) inFlight);
        addJvm(values, seconds);
        addChildren(values, seconds);
        addSockets(values);
        return new Interval(from, to, tally.ended, values);
    }

    private void addStarts(Map<Series, Double> values, long from, long to) {
        long due = recorder.due() - lastDue;
        long lag = recorder.takeLongestLag();
        // Nothing is due after the end of the load, while the last answers arrive.
        long loaded = Math.min(to, lasting) - from;
        if (loaded > (to - from) / 2) {
            values.put(Series.RATE, due * SECOND / loaded);
        }
        if (due > 0) {
            values.put(Series.LAG_MS, lag / 1e6);
        }
        lastDue += due;
    }

    private static void addEndings(Map<Series, Double> values, IntervalTally tally, double seconds) {
        values.put(Series.TPS, tally.right / seconds);
        values.put(Series.ERRORS, (tally.ended - tally.right) / seconds);
        Latency response = new Latency(tally.response);
        response.percentile(50).ifPresent(nanos -> values.put(Series.P50_MS, nanos / 1e6));
        response.percentile(99).ifPresent(nanos -> values.put(Series.P99_MS, nanos / 1e6));
        if (response.count() > 0) {
            values.put(Series.MAX_MS, tally.longest / 1e6);
        }
    }

    private void addJvm(Map<Series, Double> values, double seconds) {
        JvmUse now = JvmUse.now();
        put(values, Series.CPU_PERCENT, JvmUse.since(jvm.cpuNanos(), now.cpuNanos()), seconds * SECOND / 100);
        put(values, Series.ALLOC_MB_PER_S, JvmUse.since(jvm.allocatedBytes(), now.allocatedBytes()), seconds * MB);
        put(values, Series.HEAP_MB, now.heapUsed(), MB);
        put(values, Series.GC_MS, now.gcNanos() - jvm.gcNanos(), 1e6);
        put(values, Series.THREADS, now.threads(), 1);
        jvm = now;
    }

    private void addChildren(Map<Series, Double> values, double seconds) {
        if (children.isEmpty()) {
            return;
        }
        List<ChildProbe.ProcessSample> samples = samples();
        long cpu = childCpu(samples);
        put(values, Series.CHILD_CPU_PERCENT, JvmUse.since(childCpu, cpu), seconds * SECOND / 100);
        put(
                values,
                Series.CHILD_RSS_MB,
                sum(samples.stream().map(ChildProbe.ProcessSample::rss).toList()),
                MB);
        childCpu = cpu;
    }

    private void addSockets(Map<Series, Double> values) {
        SocketCounters now = SocketCounters.now();
        put(values, Series.TCP_ESTABLISHED, now.tcpEstablished(), 1);
        put(values, Series.TCP_RETRANSMITS, JvmUse.since(sockets.tcpRetransmits(), now.tcpRetransmits()), 1);
        put(values, Series.UDP_DROPS, JvmUse.since(sockets.udpDrops(), now.udpDrops()), 1);
        sockets = now;
    }

    private List<ChildProbe.ProcessSample> samples() {
        return children.stream().map(ChildProbe::sample).toList();
    }

    private static long childCpu(List<ChildProbe.ProcessSample> samples) {
        return sum(samples.stream().map(ChildProbe.ProcessSample::cpuNanos).toList());
    }

    /** -1 when one of them is unknown. */
    private static long sum(List<Long> figures) {
        return figures.stream().anyMatch(figure -> figure < 0)
                ? -1
                : figures.stream().mapToLong(Long::longValue).sum();
    }

    private static void put(Map<Series, Double> values, Series series, long figure, double unit) {
        if (figure >= 0) {
            values.put(series, figure / unit);
        }
    }
}
