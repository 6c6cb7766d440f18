package dev.penstock.observe.page;

import dev.penstock.Accounting;
import dev.penstock.StageReport;
import dev.penstock.Ticker;
import dev.penstock.observe.FlowSnapshot;
import dev.penstock.state.LineFile;
import dev.penstock.text.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The numbers of the last 24 hours: of each flow a point every 10 s; with more than {@value #FLOWS} flows every 20 s, with more than
 * twice as many every 30 s, and so on. Kept in memory, at most {@value #POINTS} points, and in a file of up to 5 MB, so that they
 * survive a restart.
 *
 * <p>Points are in the order of the wall clock: when it is set back, later points are dropped, since their time was wrong.
 *
 * <p>Points are added by one thread, written to the file by another, since a disk may hang, and read by many.
 */
final class History {
    static final int FLOWS = 4;
    static final int EVERY = 10;
    static final int POINTS = FLOWS * 24 * 3600 / EVERY;

    private static final List<String> COLUMNS = List.of(
            "at,offered,answered,rejected,failed,unknown,inFlight,waiting,limit,c_leased,c_idle,c_pending,c_source_leased,p50,p90,p99"
                    .split(","));
    private static final int QUEUE = 4_096;
    private static final int RATES = 5;
    private static final Pattern LINE = Pattern.compile("\\[(\\d{1,12}),\"([A-Za-z][\\w-]{0,63})\"((?:,(?:null|"
            + "\\d{1,15}(?:\\.\\d{1,2})?)){" + (COLUMNS.size() - 1) + "})]");
    private static final Logger LOG = LoggerFactory.getLogger(History.class);
    private static final long FULL = 1 << 20;
    private static final double SECOND = 1e9;
    private static final double MILLI = 1e6;

    private record Point(long at, String flow, String values) {}

    private final @Nullable Path path;
    private final @Nullable LineFile file;
    private final InstantSource clock;
    private final Deque<Point> points = new ArrayDeque<>();
    /** On the way to the file; lost while a disk hangs for more than an hour or two. */
    private final BlockingQueue<byte[]> unwritten = new ArrayBlockingQueue<>(QUEUE);

    private final Map<String, Interval> intervals = new HashMap<>();
    private volatile long every = EVERY;

    /** @param path the file; null for none */
    History(@Nullable Path path, InstantSource clock, Ticker ticker) {
        this.path = path;
        this.file = path == null ? null : new LineFile(path, "points of the charts", FULL, ticker::nanos);
        this.clock = clock;
    }

    /** Reads the file, unless there are points. Lines of another form are left out. */
    void read() {
        if (file == null) {
            return;
        }
        try {
            add(file.lines());
        } catch (IOException unreadable) {
            LOG.warn("cannot read {} ({}): the charts begin now", path, unreadable.toString());
        }
    }

    private synchronized void add(List<String> lines) {
        if (!points.isEmpty()) {
            return;
        }
        int broken = 0;
        for (String line : lines) {
            Matcher found = LINE.matcher(line);
            if (found.matches()) {
                add(new Point(Long.parseLong(found.group(1)), found.group(2).intern(), found.group(3)));
            } else {
                broken++;
            }
        }
        if (broken > 0) {
            LOG.warn("{} of {} lines of {} are no points of the charts: left out", broken, lines.size(), path);
        }
    }

    private synchronized void add(Point point) {
        while (!points.isEmpty() && points.getLast().at > point.at) {
            points.removeLast();
        }
        points.addLast(point);
        if (points.size() > POINTS) {
            points.removeFirst();
        }
    }

    /**
     * Adds a snapshot of a flow, once a second.
     *
     * @param flows how many flows there are
     * @param nanos the ticker reading
     */
    void add(FlowSnapshot now, int flows, long nanos) {
        every = (long) EVERY * Math.ceilDiv(Math.max(1, flows), FLOWS);
        Interval interval = intervals.computeIfAbsent(now.name(), name -> new Interval(now, nanos));
        interval.add(now);
        double seconds = (nanos - interval.begin) / SECOND;
        if (seconds >= every) {
            intervals.put(now.name(), new Interval(now, nanos));
            Point point = new Point(clock.millis() / 1000, now.name(), interval.values(now, seconds));
            add(point);
            if (file != null) {
                String line = "[%d,\"%s\"%s]\n".formatted(point.at, point.flow, point.values);
                unwritten.offer(line.getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    /** Begins an interval with the next snapshot: the counters of the flow begin at 0 again. */
    void restart(String flow) {
        intervals.remove(flow);
    }

    /** Reads the file, then writes points to it as they come, until the thread is interrupted. */
    void keep() throws InterruptedException {
        read();
        try {
            while (file != null) {
                file.write(unwritten.take());
            }
        } finally {
            write();
        }
    }

    /** Writes the points that are on their way. */
    void write() {
        for (byte[] line = unwritten.poll(); line != null && file != null; line = unwritten.poll()) {
            file.write(line);
        }
    }

    /** Answers {@code /history?flow=NAME&from=SECONDS&to=SECONDS}; everything of a flow without them. */
    synchronized String find(String query) {
        Map<String, String> asked = TransactionSearch.parameters(query);
        long from = seconds(asked.get("from"), 0);
        long to = seconds(asked.get("to"), Long.MAX_VALUE);
        String rows = points.stream()
                .filter(point -> point.flow.equals(asked.get("flow")) && point.at >= from && point.at <= to)
                .map(point -> "[" + point.at + point.values + "]")
                .collect(Collectors.joining(","));
        return "{\"every\":" + every + ",\"columns\":" + Json.write(COLUMNS) + ",\"rows\":[" + rows + "]}";
    }

    private static long seconds(@Nullable String text, long other) {
        return text != null && text.matches("\\d{1,12}") ? Long.parseLong(text) : other;
    }

    /** The numbers of a flow since its last point. */
    private static final class Interval {
        private final long begin;
        private final double[] first;
        private final double[] highest;
        private final @Nullable Histogram times;

        Interval(FlowSnapshot now, long begin) {
            this.begin = begin;
            this.first = numbers(now);
            this.highest = first.clone();
            this.times = times(now);
        }

        void add(FlowSnapshot now) {
            double[] current = numbers(now);
            Arrays.setAll(highest, i -> Double.isNaN(highest[i]) ? current[i] : Math.max(highest[i], current[i]));
        }

        /** Counters, of which points have the rate; then numbers of which they have the highest. */
        private static double[] numbers(FlowSnapshot flow) {
            Accounting all = flow.account();
            Map<String, Long> connections = flow.connections();
            Optional<StageReport> target = flow.stage("target");
            Long waiting = flow.stage("queue").map(StageReport::inFlight).orElse(null);
            Long limit = target.map(StageReport::capacity)
                    .filter(permits -> permits > 0)
                    .orElse(null);
            return new double[] {
                all.offered(),
                all.answered(),
                all.rejected(),
                all.failed(),
                all.unknown(),
                target.map(StageReport::inFlight).orElse(all.inFlight()),
                number(waiting),
                number(limit),
                number(connections.get("leased")),
                number(connections.get("idle")),
                number(connections.get("pending")),
                number(connections.get("source_leased"))
            };
        }

        private static double number(@Nullable Long value) {
            return value == null ? Double.NaN : value;
        }

        private static @Nullable Histogram times(FlowSnapshot flow) {
            return flow.stage("flow").map(StageReport::times).orElse(null);
        }

        String values(FlowSnapshot last, double seconds) {
            Histogram recent = RecentTimes.since(times, times(last));
            boolean none = recent.getTotalCount() == 0;
            for (int i = 0; i < RATES; i++) {
                highest[i] = (highest[i] - first[i]) / seconds;
            }
            return DoubleStream.concat(
                            Arrays.stream(highest),
                            DoubleStream.of(50, 90, 99)
                                    .map(share -> none ? Double.NaN : recent.getValueAtPercentile(share) / MILLI))
                    .mapToObj(value -> "," + format(value))
                    .collect(Collectors.joining());
        }

        private static String format(double value) {
            return Double.isNaN(value)
                    ? "null"
                    : BigDecimal.valueOf(Math.round(value * 100), 2)
                            .stripTrailingZeros()
                            .toPlainString();
        }
    }
}
