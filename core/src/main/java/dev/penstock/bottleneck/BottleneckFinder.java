package dev.penstock.bottleneck;

import dev.penstock.Durations;
import dev.penstock.bottleneck.FlowCounts.Bound;
import dev.penstock.bottleneck.FlowCounts.Connecting;
import dev.penstock.bottleneck.FlowCounts.Sum;
import dev.penstock.limit.Plateau;
import java.util.Map;

/**
 * Tells from two readings of a flow which of its stages binds, and what would move it.
 *
 * <h2>Design note</h2>
 *
 * <p>A stage binds when work waits before it, or when it turns work away, while the stages behind it have room: that is where
 * more capacity would show (Goldratt's constraint; in queueing networks the station of the highest utilisation, Denning and
 * Buzen, "The Operational Analysis of Queueing Network Models", ACM Computing Surveys 10(3), 1978). So the stages are asked
 * from the outside inwards for what waits, not for how busy they are: a limit that is full and for which nobody waits holds
 * nothing back. Where nothing waits, throughput is what is offered, and only latency is left to explain: by the part that
 * takes most of it.
 *
 * <p>Pure.
 */
final class BottleneckFinder {
    /** A wait that takes less than this share of the time holds nothing back that anybody would feel. */
    private static final double WORTH_TELLING = 0.1;

    /** For how long a failure to connect may be the reason for an open breaker: it then hardly lets any attempt pass. */
    private static final long LATELY_NANOS = 60_000_000_000L;

    private static final long TENTH = 100_000_000L;

    private static final double MOSTLY = 0.5;
    private static final double MANY_REPEATS = 0.2;

    private final FlowInterval flowInterval;
    private final FlowCounts now;

    private BottleneckFinder(FlowCounts before, FlowCounts now) {
        this.flowInterval = new FlowInterval(before, now);
        this.now = now;
    }

    static Bottleneck between(FlowCounts before, FlowCounts now) {
        return new BottleneckFinder(before, now).tell();
    }

    private Bottleneck tell() {
        if (now.account().offered() == 0) {
            return as("", unmeasured());
        }
        if (now.cutOff() != null) {
            return as(
                    "breaker",
                    "breaker is open: " + now.cutOff() + "; it closes by itself once the target answers again"
                            + noConnection());
        }
        double waiting = flowInterval.partShare("waiting");
        double opening = flowInterval.partShare("connecting", "securing");
        if (connectingFails(waiting + opening)) {
            return as("target", connecting());
        }
        if (flowInterval.offered() == 0 && now.account().inFlight() == 0) {
            return as("", "nothing binds: nothing was offered lately");
        }
        Bound limit = now.limit();
        if (limit != null && limitBinds(limit)) {
            return as("queue", limit(limit));
        }
        if (waiting >= WORTH_TELLING) {
            return as("target", pool(waiting));
        }
        if (opening >= WORTH_TELLING) {
            return as(
                    "target",
                    "opening connections is %s of latency: the target closes them, or each is used for too few calls; keep more of them (pool.idle) or send fewer at once"
                            .formatted(percent(opening)));
        }
        return inner();
    }

    private Bottleneck as(String stage, String sentence) {
        return new Bottleneck(stage, sentence, flowInterval.loads());
    }

    private Bottleneck inner() {
        double repeats = flowInterval.offered() == 0 ? 0 : (double) flowInterval.started("retry") / flowInterval.offered();
        if (repeats >= MANY_REPEATS) {
            return as(
                    "retry",
                    "repeats add %s to the load: the target fails too often, see its causes"
                            .formatted(percent(repeats)));
        }
        double target = flowInterval.share("target");
        double window = flowInterval.stage("collapse") == null ? 0 : 1 - target - flowInterval.share("queue");
        if (window >= MOSTLY && flowInterval.meanNanos("flow") > 0) {
            return as(
                    "collapse",
                    "waiting for others to travel with is %s of latency: lower collapse.budget where latency matters more than calls"
                            .formatted(percent(window)));
        }
        if (target >= MOSTLY || flowInterval.meanNanos("flow") == 0) {
            return as("target", target(target));
        }
        return as("", "no stage binds: %s and nothing waits".formatted(carried()));
    }

    // ---- connecting

    /**
     * While no connection can be had, waits for one and full limits are what follows from that. A few failures among many
     * attempts hold nothing back, unless time goes by over connections.
     */
    private boolean connectingFails(double overConnections) {
        long failed = flowInterval.connectFailures();
        return failed > 0 && (failed >= WORTH_TELLING * flowInterval.started("target") || overConnections >= WORTH_TELLING);
    }

    private String connecting() {
        return "connecting fails: %d of %d attempts got no connection%s"
                .formatted(
                        flowInterval.connectFailures(),
                        Math.max(flowInterval.connectFailures(), flowInterval.started("target")),
                        noConnection());
    }

    /** The last reason, when it is not from long ago. */
    private String noConnection() {
        Connecting connecting = now.connecting();
        if (connecting == null || now.nanos() - connecting.last().at() > LATELY_NANOS) {
            return "";
        }
        long ago = Math.max(0, now.nanos() - connecting.last().at()) / TENTH * TENTH;
        return "; the last failure to connect, %s: %s"
                .formatted(
                        ago == 0 ? "just now" : Durations.words(ago) + " ago",
                        connecting.last().ending().reason().words());
    }

    // ---- the limit

    private boolean limitBinds(Bound limit) {
        Sum queue = flowInterval.stage("queue");
        boolean full = queue != null && queue.inFlight() > 0 && inTarget() >= limit.permits();
        return full || refused() > 0 || flowInterval.share("queue") >= WORTH_TELLING;
    }

    /** What was turned away for want of a permit. */
    private long refused() {
        return flowInterval.rejected("limit", "queue");
    }

    private long inTarget() {
        Sum target = flowInterval.stage("target");
        return target == null ? 0 : target.inFlight();
    }

    private String limit(Bound limit) {
        String share = limit.permits() == limit.ofAll()
                ? ""
                : " (%d for this flow, as others share it)".formatted(limit.permits());
        return "limit %d%s binds: %s; %s".formatted(limit.ofAll(), share, waits(), moves(limit));
    }

    private String waits() {
        double share = flowInterval.share("queue");
        long refused = refused();
        String waits = share < 0.005
                ? "%d wait for a permit".formatted(waiting())
                : "waiting for a permit is %s of latency".formatted(percent(share));
        return refused == 0
                ? waits
                : "%s, and %.1f/s are turned away".formatted(waits, flowInterval.perSecond((double) refused));
    }

    private long waiting() {
        Sum queue = flowInterval.stage("queue");
        return queue == null ? 0 : queue.inFlight();
    }

    private static String moves(Bound limit) {
        return switch (limit.factor()) {
            case PINNED -> "it is set by hand, so set it higher, or let it find itself (limit: auto)";
            case UPPER_BOUND -> "more would give more answers, and it is at its upper bound: raise limit.max";
            case MEASURED -> flat(limit) + ", so only a faster target, or fewer calls (collapse), would move it";
            case MEASURING -> "it is still being measured (" + limit.reason() + ")";
        };
    }

    private static String flat(Bound limit) {
        Plateau flat = limit.flat();
        if (flat == null) {
            return limit.reason();
        }
        String from = "throughput is flat from %d".formatted(flat.from());
        return flat.at() <= flat.from() || flat.slower() < 0.005
                ? from
                : "%s, and at %d the target answers %s slower".formatted(from, flat.at(), percent(flat.slower()));
    }

    // ---- the target

    private String pool(double share) {
        Map<String, Long> of = now.connections();
        String out = of.containsKey("leased")
                ? ", with %d connections out and %d calls waiting for one"
                        .formatted(of.getOrDefault("leased", 0L), of.getOrDefault("pending", 0L))
                : "";
        return "pool wait is %s of latency%s: raise pool.max%s"
                .formatted(percent(share), out, now.limit() == null ? "" : ", or lower limit to it");
    }

    private String target(double share) {
        double mean = flowInterval.meanNanos("flow");
        if (mean == 0) {
            return "the target binds: %d wait for its answer, and none has come lately".formatted(inTarget());
        }
        Bound limit = now.limit();
        return "the target takes %s of the %s that a transaction takes, and %s for a permit or a connection%s: only a faster target would move that"
                .formatted(
                        percent(share),
                        Durations.words((long) mean),
                        flowInterval.share("queue") + flowInterval.partShare("waiting") < 0.005
                                ? "nothing waits"
                                : "little is waited",
                        limit == null
                                ? ""
                                : " (%.0f of %d permits are out)"
                                        .formatted(flowInterval.meanInFlight("target"), limit.permits()));
    }

    private String carried() {
        return "all %.1f/s that are offered are carried".formatted(flowInterval.perSecond((double) flowInterval.offered()));
    }

    // ---- before the first transaction

    private String unmeasured() {
        Bound limit = now.limit();
        return limit == null
                ? "nothing was measured yet, and no limit is set: the target would be the first to bind"
                : "nothing was measured yet: limit %d would be the first to bind, at %d/s when an answer takes 1 s"
                        .formatted(limit.permits(), limit.permits());
    }

    private static String percent(double share) {
        double hundred = 100 * share;
        return hundred > 0 && hundred < 1 ? "%.1f %%".formatted(hundred) : "%.0f %%".formatted(hundred);
    }
}
