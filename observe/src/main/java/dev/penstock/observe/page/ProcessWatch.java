package dev.penstock.observe.page;

import dev.penstock.observe.FlowSnapshot;
import dev.penstock.observe.WatchedFlow;
import dev.penstock.observe.WatchedProcess;
import dev.penstock.observe.page.EventLog.FlowEvent;
import dev.penstock.text.Durations;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes snapshots of a process: adds events to the event log and returns the snapshot as JSON.
 *
 * <p>No side effects except events, log lines and the history. Not thread-safe.
 */
final class ProcessWatch {
    private static final Logger LOG = LoggerFactory.getLogger("penstock.limit");

    private final EventLog events;
    private final History history;
    private final InstantSource wallClock;
    private final Map<String, FlowWatch> flows = new HashMap<>();
    private final List<String> unreachable = new ArrayList<>();
    /** What was wrong with certificates in the last snapshot. */
    private List<String> certificates = List.of();

    private boolean draining;
    /** The time spent in garbage collection until the last snapshot, in ms. */
    private long collected;

    /** What is derived from consecutive snapshots of a flow. */
    private record FlowWatch(
            WatchedFlow flow, FlowChanges changes, Reachability reachable, FlowProblems problems, RecentTimes times) {}

    ProcessWatch(EventLog events, History history, InstantSource wallClock) {
        this.events = events;
        this.history = history;
        this.wallClock = wallClock;
    }

    /**
     * Takes a snapshot.
     *
     * @param nanos the ticker reading, from which the receiver computes rates
     */
    String snapshot(WatchedProcess process, long nanos) {
        if (process.isDraining() && !draining) {
            draining = true;
            events.add("", new FlowEvent.News("drain", "the gateway is draining and accepts no new transactions"));
        }
        process.fileNews().forEach(text -> events.add("", new FlowEvent.News("file", text)));
        certificates(process);
        collected = collectorMillis();
        unreachable.clear();
        flows.keySet().retainAll(process.flows().stream().map(WatchedFlow::name).toList());
        List<Map<String, Object>> snapshots = process.flows().stream()
                .map(flow -> snapshot(flow, process.flows().size(), nanos))
                .toList();
        return PageJson.snapshot(process, wallClock.instant(), nanos, snapshots);
    }

    /** This process did not run for a while; times of its transactions have that in them. */
    void paused(long nanos) {
        long collecting = Math.min(nanos, TimeUnit.MILLISECONDS.toNanos(collectorMillis() - collected));
        String text =
                "this process did not run for %s, and collected garbage for %s of it; its transactions took that much longer: check its heap (-Xmx), its share of the CPU, and whether its machine was suspended"
                        .formatted(Durations.format(nanos), Durations.format(collecting));
        events.add("", new FlowEvent.News("pause", text));
        LoggerFactory.getLogger("penstock").warn(text);
    }

    private static long collectorMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    private void certificates(WatchedProcess process) {
        List<String> now = process.certificateWarnings();
        now.stream()
                .filter(warning -> !certificates.contains(warning))
                .forEach(warning -> events.add("", new FlowEvent.News("certificate", warning)));
        certificates = now;
    }

    /** The targets and stores that were unreachable in the last snapshot, a line for each. */
    List<String> unreachable() {
        return List.copyOf(unreachable);
    }

    /** Adds an event; the log has those of the limit too, since events end with the process. */
    private void report(String flow, FlowEvent.News news) {
        events.add(flow, news);
        if (news.kind().equals(FlowChanges.LIMIT)) {
            LOG.info("{}: {}", flow, news.text());
        }
    }

    private Map<String, Object> snapshot(WatchedFlow flow, int count, long nanos) {
        FlowSnapshot now = flow.snapshot();
        FlowWatch known = flows.get(flow.name());
        if (known == null || !known.flow.equals(flow)) {
            history.restart(flow.name());
            known = new FlowWatch(
                    flow, new FlowChanges(now), new Reachability(), new FlowProblems(now, nanos), new RecentTimes());
            flows.put(flow.name(), known);
        }
        history.add(now, count, nanos);
        known.changes.next(now).forEach(news -> report(flow.name(), news));
        List<String> unreached = known.reachable.next(now);
        unreached.forEach(why -> unreachable.add("flow " + flow.name() + ": " + why));
        List<String> problems = known.problems.next(now, unreached, nanos);
        return PageJson.snapshot(now, known.times.next(now.stages()), problems);
    }
}
