package dev.penstock.bottleneck;

import dev.penstock.Bottleneck;
import dev.penstock.bottleneck.FlowCounts.Bound;
import dev.penstock.bottleneck.FlowCounts.Connecting;
import dev.penstock.bottleneck.FlowCounts.Sum;
import dev.penstock.limit.LimitController.Plateau;
import dev.penstock.text.Durations;
import java.util.Map;

/**
 * Finds the bottleneck stage of a flow from its counts at two moments, and how to relieve it.
 *
 * <h2>Design note</h2>
 *
 * <p>A stage is the bottleneck when work waits for it, or when it rejects work, while the stages behind it have spare capacity:
 * there more capacity would increase throughput (Goldratt's constraint; in queueing networks the station with the highest
 * utilisation, Denning and Buzen, "The Operational Analysis of Queueing Network Models", ACM Computing Surveys 10(3), 1978). So
 * the stages are checked from the outside inwards for waiting work, not for utilisation: a limit whose permits are all in use,
 * and for which no request waits, does not reduce throughput. If nothing waits, throughput equals the offered load, and only
 * latency remains to be explained: by the part that takes most of it.
 *
 * <p>No side effects.
 */
final class BottleneckFinder {
    /** A wait below this share of latency is negligible. */
    private static final double NEGLIGIBLE = 0.1;

    /** The maximum age of a connect failure that is reported: an open breaker lets hardly any attempt pass, so it may be old. */
    private static final long MAX_AGE_NANOS = 60_000_000_000L;

    private static final long TENTH_SECOND = 100_000_000L;

    private static final double MOSTLY = 0.5;
    private static final double MANY_RETRIES = 0.2;

    private final FlowInterval flowInterval;
    private final FlowCounts now;

    private BottleneckFinder(FlowCounts before, FlowCounts now) {
        this.flowInterval = new FlowInterval(before, now);
        this.now = now;
    }

    static Bottleneck between(FlowCounts before, FlowCounts now) {
        return new BottleneckFinder(before, now).find();
    }

    private Bottleneck find() {
        if (now.account().offered() == 0) {
            return bottleneck("", unmeasured());
        }
        if (now.cutOff() != null) {
            return bottleneck(
                    "breaker",
                    "breaker is open: " + now.cutOff() + "; it closes by itself once the target answers again"
                            + noConnection());
        }
        double waiting = flowInterval.partShare("waiting");
        double opening = flowInterval.partShare("connecting", "securing");
        if (isConnectingFailing(waiting + opening)) {
            return bottleneck("target", connecting());
        }
        if (flowInterval.offered() == 0 && now.account().inFlight() == 0) {
            return bottleneck("", "no bottleneck: nothing was offered recently");
        }
        Bottleneck bottleneck = waitingOrSlow(waiting, opening);
        if (now.errors().isEmpty()) {
            return bottleneck;
        }
        String rest = bottleneck.stage().isEmpty() ? "" : "; " + bottleneck.sentence();
        return bottleneck("target", now.errors() + rest);
    }

    private Bottleneck waitingOrSlow(double waiting, double opening) {
        Bound limit = now.limit();
        if (limit != null && isLimitBottleneck(limit)) {
            return bottleneck("queue", limit(limit));
        }
        if (waiting >= NEGLIGIBLE) {
            return bottleneck("target", pool(waiting));
        }
        if (opening >= NEGLIGIBLE) {
            return bottleneck(
                    "target",
                    "opening connections takes %s of latency: the target closes them, or each is used for too few calls; keep idle ones longer (pool.idle) or send fewer calls at once"
                            .formatted(percent(opening)));
        }
        return inner();
    }

    private Bottleneck bottleneck(String stage, String sentence) {
        return new Bottleneck(stage, sentence, flowInterval.loads());
    }

    private Bottleneck inner() {
        double retries =
                flowInterval.offered() == 0 ? 0 : (double) flowInterval.started("retry") / flowInterval.offered();
        if (retries >= MANY_RETRIES) {
            return bottleneck(
                    "retry",
                    "retries add %s to the load: the target fails too often; see the causes of its failures"
                            .formatted(percent(retries)));
        }
        double target = flowInterval.share("target");
        double window = flowInterval.stage("collapse") == null ? 0 : 1 - target - flowInterval.share("queue");
        if (window >= MOSTLY && flowInterval.meanNanos("flow") > 0) {
            return bottleneck(
                    "collapse",
                    "waiting for a batch to fill takes %s of latency: lower collapse.budget if latency matters more than the number of calls"
                            .formatted(percent(window)));
        }
        if (target >= MOSTLY || flowInterval.meanNanos("flow") == 0) {
            return bottleneck("target", target(target));
        }
        return bottleneck("", "no bottleneck: %s and nothing waits".formatted(processed()));
    }

    // ---- connecting

    /**
     * While connecting fails, waits for connections and full limits are only consequences. A few failures among many attempts
     * are not the bottleneck, unless connections take a noticeable share of the time.
     */
    private boolean isConnectingFailing(double overConnections) {
        long failed = flowInterval.connectFailures();
        return failed > 0 && (failed >= NEGLIGIBLE * flowInterval.started("target") || overConnections >= NEGLIGIBLE);
    }

    private String connecting() {
        return "connecting fails: %d of %d attempts got no connection%s"
                .formatted(
                        flowInterval.connectFailures(),
                        Math.max(flowInterval.connectFailures(), flowInterval.started("target")),
                        noConnection());
    }

    /** The last connect failure, unless it is too old. */
    private String noConnection() {
        Connecting connecting = now.connecting();
        if (connecting == null || now.nanos() - connecting.last().at() > MAX_AGE_NANOS) {
            return "";
        }
        long ago = Math.max(0, now.nanos() - connecting.last().at()) / TENTH_SECOND * TENTH_SECOND;
        return "; the last failure to connect, %s: %s"
                .formatted(
                        ago == 0 ? "just now" : Durations.format(ago) + " ago",
                        connecting.last().ending().reason().format());
    }

    // ---- the limit

    private boolean isLimitBottleneck(Bound limit) {
        Sum queue = flowInterval.stage("queue");
        boolean full = queue != null && queue.inFlight() > 0 && inTarget() >= limit.permits();
        return full || refused() > 0 || flowInterval.share("queue") >= NEGLIGIBLE;
    }

    /** The number of requests rejected for lack of a permit. */
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
                : " (%d for this flow, shared with others)".formatted(limit.permits());
        return "limit %d%s is the bottleneck: %s; %s".formatted(limit.ofAll(), share, waits(), relief(limit));
    }

    private String waits() {
        double share = flowInterval.share("queue");
        long refused = refused();
        String waits = share < 0.005
                ? "%d requests wait for a permit".formatted(waiting())
                : "waiting for a permit takes %s of latency".formatted(percent(share));
        return refused == 0
                ? waits
                : "%s, and %.1f/s are rejected".formatted(waits, flowInterval.perSecond((double) refused));
    }

    private long waiting() {
        Sum queue = flowInterval.stage("queue");
        return queue == null ? 0 : queue.inFlight();
    }

    private static String relief(Bound limit) {
        return switch (limit.factor()) {
            case PINNED -> "it is set by hand: raise it, or make it adaptive (limit: auto)";
            case POOL -> "it is " + limit.reason();
            case UPPER_BOUND ->
                "throughput still rises with it, and it is at its upper bound: raise limit.max, or pool.max if that is lower";
            case MEASURED -> plateau(limit) + ", so only a faster target or fewer calls (collapse) would help";
            case MEASURING -> "it is still being measured (" + limit.reason() + ")";
        };
    }

    private static String plateau(Bound limit) {
        Plateau plateau = limit.plateau();
        if (plateau == null) {
            return limit.reason();
        }
        String from = "throughput is flat from %d".formatted(plateau.from());
        return plateau.at() <= plateau.from() || plateau.slower() < 0.005
                ? from
                : "%s, and at %d the target answers %s slower".formatted(from, plateau.at(), percent(plateau.slower()));
    }

    // ---- the target

    private String pool(double share) {
        Map<String, Long> of = now.connections();
        String out = of.containsKey("leased")
                ? ", with %d connections in use and %d calls waiting for one"
                        .formatted(of.getOrDefault("leased", 0L), of.getOrDefault("pending", 0L))
                : "";
        return "waiting for a connection takes %s of latency%s: raise pool.max%s"
                .formatted(percent(share), out, now.limit() == null ? "" : ", or lower the limit to it");
    }

    private String target(double share) {
        double mean = flowInterval.meanNanos("flow");
        if (mean == 0) {
            return "the target is the bottleneck: %d calls are in flight, and none was answered recently"
                    .formatted(inTarget());
        }
        Bound limit = now.limit();
        return "the target takes %s of the %s of a transaction, and %s for a permit or a connection%s: only a faster target would help"
                .formatted(
                        percent(share),
                        Durations.format((long) mean),
                        flowInterval.share("queue") + flowInterval.partShare("waiting") < 0.005
                                ? "nothing waits"
                                : "hardly anything waits",
                        limit == null
                                ? ""
                                : " (%.0f of %d permits in use)"
                                        .formatted(flowInterval.meanInFlight("target"), limit.permits()));
    }

    private String processed() {
        return "all %.1f/s offered are processed".formatted(flowInterval.perSecond((double) flowInterval.offered()));
    }

    // ---- before the first transaction

    private String unmeasured() {
        Bound limit = now.limit();
        return limit == null
                ? "nothing was measured yet, and no limit is set: the target would be the first bottleneck"
                : "nothing was measured yet: limit %d would be the first bottleneck, at %d/s when an answer takes 1 s"
                        .formatted(limit.permits(), limit.permits());
    }

    private static String percent(double share) {
        double hundred = 100 * share;
        return hundred > 0 && hundred < 1 ? "%.1f %%".formatted(hundred) : "%.0f %%".formatted(hundred);
    }
}
