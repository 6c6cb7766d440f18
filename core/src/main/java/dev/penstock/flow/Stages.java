package dev.penstock.flow;

import dev.penstock.LiveSetting;
import dev.penstock.Rejected;
import dev.penstock.Reservation;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.bottleneck.FlowCounts;
import dev.penstock.breaker.Breaker;
import dev.penstock.collapse.Batch;
import dev.penstock.collapse.BatchCounts;
import dev.penstock.collapse.BatchEndings;
import dev.penstock.collapse.Collapser;
import dev.penstock.deadline.DeadlineFilter;
import dev.penstock.deadline.TimeLimiter;
import dev.penstock.dedupe.DedupeFilter;
import dev.penstock.limit.Limit;
import dev.penstock.meter.Accounting;
import dev.penstock.meter.AttemptMeter;
import dev.penstock.meter.Meter;
import dev.penstock.meter.StageReport;
import dev.penstock.meter.Timings;
import dev.penstock.retry.RetryFilter;
import dev.penstock.retry.Settler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The stages of one flow, and their order. A null stage is disabled. */
record Stages<Q, R>(
        Meter meter,
        DeadlineFilter deadline,
        @Nullable DedupeFilter dedupe,
        @Nullable RetryFilter retry,
        @Nullable Settler<Q, R> settler,
        @Nullable Collapser<Q, R> collapser,
        @Nullable Breaker breaker,
        @Nullable Limit limit,
        AttemptMeter attempts,
        TimeLimiter timeLimiter,
        @Nullable Target<?, ?> target,
        SettingsRegistry fixed) {

    /** Wraps all stages but the meter around a target. */
    Service<Q, R> around(Service<Q, R> service) {
        return deadline.around(deduped(retried(limited(claimed(attempts.around(timeLimiter.around(service)))))));
    }

    /** Wraps all stages but the meter around a batch target. */
    Service<Q, R> around(Collapser<Q, R> batches) {
        Service<List<Q>, BatchEndings<R>> target = attempts.around(timeLimiter.around(batches.target()));
        Service<Batch<Q, R>, BatchEndings<R>> inner =
                batches.departing(dedupe == null ? target : new ClaimedBatch<>(dedupe, target));
        return deadline.around(deduped(retried(batches.around(limited(inner)))));
    }

    private Service<Q, R> deduped(Service<Q, R> chain) {
        return dedupe == null ? chain : dedupe.around(chain, new FlowUnknownResolver<>(retry, settler));
    }

    /** Inside the limit: a key is claimed only when a permit is held. */
    private Service<Q, R> claimed(Service<Q, R> chain) {
        return dedupe == null ? chain : dedupe.claiming(chain);
    }

    private <A, B> Service<A, B> limited(Service<A, B> inner) {
        Service<A, B> chain = limit == null ? inner : limit.around(inner, deadline::isCallersOwn);
        return breaker == null ? chain : breaker.around(chain, deadline::isCallersOwn);
    }

    /**
     * Admits or rejects a transaction without blocking, by the same checks in the same order as the stages.
     *
     * @param request only its urgency is used; null when it is not known
     * @param allowed the time allowed, in nanoseconds
     * @return a permit or a position in the wait queue; null without a limit, and when batches take the permits
     * @throws Rejected cause deadline, breaker or limit
     */
    @Nullable
    Reservation admit(@Nullable Q request, long allowed, long now) throws Rejected {
        deadline.rejectIfLate(allowed);
        if (breaker != null) {
            breaker.rejectIfOpen(now);
        }
        if (limit == null || collapser != null) {
            return null;
        }
        return request == null ? limit.admit(allowed) : limit.admit(request, allowed);
    }

    int headroom(long now) {
        return requests(limit == null ? Integer.MAX_VALUE : limit.headroom(), now);
    }

    int capacity(long now) {
        return requests(limit == null ? Integer.MAX_VALUE : limit.share(), now);
    }

    /** The number of requests that can be sent with a number of permits. */
    private int requests(int permits, long now) {
        int calls = Math.min(permits, breaker == null ? Integer.MAX_VALUE : breaker.headroom(now));
        return collapser == null ? calls : (int) Math.min(Integer.MAX_VALUE, (long) calls * collapser.max());
    }

    /** The retry stage calls the settler; without a retry stage the settler is a stage of its own. */
    private Service<Q, R> retried(Service<Q, R> chain) {
        if (retry != null) {
            return retry.around(chain, settler);
        }
        return settler == null ? chain : settler.around(chain);
    }

    List<Setting> settings() {
        List<Setting> all = new ArrayList<>(fixed.settings());
        if (target != null) {
            all.addAll(target.settings());
        }
        return List.copyOf(all);
    }

    LiveSetting pinnable(String name) {
        LiveSetting own = fixed.pinnable().get(name);
        if (own != null) {
            return own;
        }
        Stream<LiveSetting> ofTarget = target == null ? Stream.of() : target.pinnable().stream();
        return ofTarget.filter(live -> live.name().equals(name)).findFirst().orElseThrow(() -> unpinnable(name));
    }

    Setting named(String name) {
        return settings().stream()
                .filter(setting -> setting.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unpinnable(name));
    }

    private IllegalArgumentException unpinnable(String name) {
        List<Setting> all = settings();
        if (all.stream().anyMatch(setting -> setting.name().equals(name))) {
            return new IllegalArgumentException(name + " cannot be pinned at run time; set it in the flow file");
        }
        String known = String.join(
                ", ", all.stream().filter(Setting::pinnable).map(Setting::name).toList());
        return new IllegalArgumentException(
                known.isEmpty()
                        ? "this flow has no setting that can be pinned"
                        : "no such setting: pin one of " + known);
    }

    List<StageReport> reports() {
        List<StageReport> reports = new ArrayList<>();
        Accounting account = meter.accounting();
        reports.add(new StageReport(
                "flow",
                account.offered(),
                meter.offeredPerSecond(),
                account.inFlight(),
                0,
                account.sentence(),
                meter.times()));
        if (dedupe != null) {
            reports.add(new StageReport(
                    "dedupe",
                    dedupe.came(),
                    dedupe.perSecond(),
                    dedupe.dedupeCounts().waiting(),
                    0,
                    dedupe.dedupeCounts().sentence(),
                    dedupe.times()));
        }
        if (retry != null) {
            String note = "%d retries, %d more suppressed by the retry budget"
                    .formatted(retry.repeated(), retry.outOfBudget());
            reports.add(timeless("retry", retry.repeated(), retry.repeatedPerSecond(), note));
        }
        if (settler != null) {
            reports.add(new StageReport(
                    "settle",
                    settler.doubts(),
                    settler.doubtsPerSecond(),
                    settler.inDoubt(),
                    0,
                    settler.note(),
                    settler.times()));
        }
        if (collapser != null) {
            reports.add(collapsing(collapser));
        }
        if (breaker != null) {
            reports.add(timeless("breaker", breaker.opened(), 0, breaker.state() + ": " + breaker.reason()));
        }
        if (limit != null) {
            reports.add(queue(limit));
        }
        reports.add(new StageReport(
                "target",
                attempts.started(),
                attempts.startedPerSecond(),
                attempts.inFlight(),
                limit == null ? 0 : limit.share(),
                attemptsNote(),
                attempts.times()));
        return List.copyOf(reports);
    }

    private String attemptsNote() {
        String note = "%d attempts, %d in flight".formatted(attempts.started(), attempts.inFlight());
        long overran = timeLimiter.overran();
        return overran == 0
                ? note
                : "%s; %d exceeded the deadline and were interrupted, %d of these still run"
                        .formatted(note, overran, timeLimiter.stray());
    }

    FlowCounts reading(long now) {
        return new FlowCounts(
                now,
                meter.accounting(),
                reports().stream().map(FlowCounts.Sum::of).toList(),
                target == null ? Map.of() : target.times(),
                target == null ? Map.of() : target.connections(),
                limit == null ? null : bound(limit),
                breaker == null || breaker.headroom(now) > 0 ? null : breaker.reason(),
                connecting());
    }

    private static FlowCounts.Bound bound(Limit limit) {
        return new FlowCounts.Bound(
                limit.share(), limit.permits(), limit.limitingFactor(), limit.reason(), limit.plateau());
    }

    private FlowCounts.@Nullable Connecting connecting() {
        AttemptMeter.ConnectFailure last = attempts.lastConnectFailure();
        return last == null ? null : new FlowCounts.Connecting(attempts.connectFailures(), last);
    }

    private static StageReport collapsing(Collapser<?, ?> collapser) {
        BatchCounts batches = collapser.batches();
        return new StageReport(
                "collapse",
                collapser.requests(),
                collapser.batchesPerSecond(),
                batches.waiting(),
                collapser.max(),
                batches.sentence(),
                Timings.none());
    }

    private static StageReport queue(Limit limit) {
        return new StageReport(
                "queue",
                limit.waited(),
                limit.waitedPerSecond(),
                limit.waiting(),
                limit.queueLength(),
                permitsNote(limit),
                limit.waits());
    }

    private static String permitsNote(Limit limit) {
        String note =
                "%d of %d permits in use, %d waiting".formatted(limit.inFlight(), limit.permits(), limit.waiting());
        int others = limit.outToOthers();
        return others == 0 ? note : "%s; other flows to the target use %d".formatted(note, others);
    }

    private static StageReport timeless(String stage, long count, double perSecond, String note) {
        return new StageReport(stage, count, perSecond, 0, 0, note, Timings.none());
    }

    /** The names of the stages, outermost first. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        names.add("meter");
        names.addAll(fixed.byStage().keySet());
        return List.copyOf(names);
    }

    String sentence() {
        StringJoiner chain = new StringJoiner(" > ");
        chain.add("meter");
        fixed.byStage()
                .forEach((stage, settings) -> chain.add(settings.isEmpty() ? stage : stage + " (" + settings + ")"));
        chain.add(target == null ? "target" : target.where());
        return chain.toString();
    }
}
