package dev.penstock.gateway.admin;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is seen of a gateway from one look to the next: its events go to a log, the look itself comes out as JSON.
 *
 * <p>Pure but for the log. For one thread at a time.
 */
final class GatewayWatch {
    private final EventLog events;
    private final InstantSource wallClock;
    private final Map<String, FlowChanges> changes = new HashMap<>();
    private final Map<String, RecentTimes> times = new HashMap<>();
    private final Map<String, Reachability> reachable = new HashMap<>();
    private final List<String> unreachable = new ArrayList<>();
    private boolean draining;

    GatewayWatch(EventLog events, InstantSource wallClock) {
        this.events = events;
        this.wallClock = wallClock;
    }

    /**
     * Looks at a gateway.
     *
     * @param nanos the reading of the ticker, by which whoever gets it tells rates
     */
    String look(WatchedGateway gateway, long nanos) {
        if (gateway.isDraining() && !draining) {
            draining = true;
            events.add("", new FlowEvent.News("drain", "the gateway is draining: nothing new is let in"));
        }
        unreachable.clear();
        List<Map<String, Object>> flows =
                gateway.flows().stream().map(this::look).toList();
        return AdminJson.look(gateway, wallClock.instant(), nanos, flows);
    }

    /** What could not be reached at the last look, a line for each target and store. */
    List<String> unreachable() {
        return List.copyOf(unreachable);
    }

    private Map<String, Object> look(WatchedFlow flow) {
        FlowSnapshot now = FlowSnapshot.at(flow);
        FlowChanges since = changes.putIfAbsent(flow.name(), new FlowChanges(now));
        if (since != null) {
            since.next(now).forEach(news -> events.add(flow.name(), news));
        }
        reachable
                .computeIfAbsent(flow.name(), name -> new Reachability())
                .next(now, flow.dedupeCounts())
                .forEach(why -> unreachable.add("flow " + flow.name() + ": " + why));
        RecentTimes recent = times.computeIfAbsent(flow.name(), name -> new RecentTimes());
        return AdminJson.look(now, recent.next(now.stages()));
    }
}
