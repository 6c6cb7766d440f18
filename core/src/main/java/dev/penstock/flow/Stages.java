package dev.penstock.flow;

import dev.penstock.LiveSetting;
import dev.penstock.Rejected;
import dev.penstock.Reservation;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.Ticker;
import dev.penstock.bottleneck.FlowCounts;
import dev.penstock.breaker.Breaker;
import dev.penstock.collapse.Batch;
import dev.penstock.collapse.BatchEndings;
import dev.penstock.collapse.Collapser;
import dev.penstock.deadline.DeadlineFilter;
import dev.penstock.deadline.TimeLimiter;
import dev.penstock.dedupe.DedupeFilter;
import dev.penstock.limit.Limit;
import dev.penstock.meter.AttemptMeter;
import dev.penstock.meter.LastReasons;
import dev.penstock.meter.Meter;
import dev.penstock.meter.StageReport;
import dev.penstock.retry.RetryFilter;
import dev.penstock.retry.Settle;
import dev.penstock.retry.Settler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The stages of one flow, and their order. A null stage is disabled. */
record Stages<Q, R>(
        Meter meter,
        DeadlineFilter deadline,
        @Nullable DedupeFilter<Q, R> dedupe,
        @Nullable RetryFilter<Q, R> retry,
        @Nullable Settler<Q, R> settler,
        @Nullable Collapser<Q, R> collapser,
        @Nullable Breaker breaker,
        @Nullable Limit limit,
        AttemptMeter attempts,
        TimeLimiter timeLimiter,
        @Nullable Target<?, ?> target,
        SettingsRegistry fixed) {

    /**
     * Builds the stages.
     *
     * @param given the configuration
     * @param collapser sends requests in batches; null when each is sent by itself
     * @param settle the status probe; null for none
     * @param target the target whose settings are shown; null when it is a plain function
     */
    static <Q, R> Stages<Q, R> of(
            FlowBuilder<Q> given,
            @Nullable Collapser<Q, R> collapser,
            @Nullable Settle<Q, R> settle,
            @Nullable Target<?, ?> target) {
        Ticker ticker = given.ticker;
        SettingsRegistry settings = new SettingsRegistry(given.wallClock);
        settings.addStages(given, settle, collapser);
        Meter meter = new Meter(ticker, new LastReasons(given.name, given.wallClock));
        Settler<Q, R> settler = settle == null
                ? null
                : new Settler<>(
                        settle,
                        new TimeLimiter(given.name + "-status-query", ticker, null)::around,
                        ticker,
                        given.random);
        RetryFilter<Q, R> retry = given.retry == null
                ? null
                : new RetryFilter<>(given.retry, settler, meter::offeredRecently, ticker, given.random);
        DedupeFilter<Q, R> dedupe = given.dedupe == null
                ? null
                : new DedupeFilter<>(
                        given.dedupe,
                        given.name,
                        ticker,
                        given.random,
                        new FlowUnknownResolver<>(given.retry, settler));
        Limit limit = given.limit.stage(given, meter, target, settings);
        TimeLimiter timeLimiter =
                new TimeLimiter(given.name + "-call", ticker, limit == null ? null : limit::strayCallEnded);
        // With dedupe a transaction continues after its attempt is answered: it writes to the idempotency store.
        boolean apart = collapser != null || dedupe != null;
        AttemptMeter attempts =
                new AttemptMeter(meter, limit == null ? null : new AttemptsInFlight(limit, timeLimiter), apart);
        Breaker breaker = given.breaker == null ? null : new Breaker(given.breaker, attempts, ticker);
        if (breaker != null && limit != null) {
            breaker.onChange(new LimitNotifier(limit));
        }
        DeadlineFilter deadline =
                given.deadline == null ? DeadlineFilter.inherited() : DeadlineFilter.of(given.deadline);
        return new Stages<>(
                meter,
                deadline,
                dedupe,
                retry,
                settler,
                collapser,
                breaker,
                limit,
                attempts,
                timeLimiter,
                target,
                settings);
    }

    /** The attempts in flight: permits in use without stray calls, which hold a permit although their attempts have ended. */
    private record AttemptsInFlight(Limit limit, TimeLimiter calls) implements LongSupplier {
        @Override
        public long getAsLong() {
            // Read first: a stray call that ends in between may be missing for a moment, but is never subtracted twice.
            long stray = calls.stray();
            return limit.inFlight() - stray;
        }
    }

    /** Stops the limit from adapting while the breaker is open: samples then do not show the capacity of the target. */
    private record LimitNotifier(Limit limit) implements Breaker.Listener {
        @Override
        public void cutOff(long now) {
            limit.cutOff(now);
        }

        @Override
        public void resumed(long now) {
            limit.resumed(now);
        }
    }

    /** Wraps all stages but the meter around a target. */
    Service<Q, R> around(Service<Q, R> service) {
        return deadline.around(deduped(retried(limited(claimed(attempts.around(timeLimiter.around(service)))))));
    }

    /** Wraps all stages but the meter around a batch target. */
    Service<Q, R> around(Collapser<Q, R> batches) {
        Service<List<Q>, BatchEndings<R>> target = attempts.around(timeLimiter.around(batches.target()));
        Service<Batch<Q, R>, BatchEndings<R>> inner =
                batches.departing(dedupe == null ? target : new ClaimedBatch<Q, R>(dedupe, target));
        return deadline.around(deduped(retried(batches.around(limited(inner)))));
    }

    private Service<Q, R> deduped(Service<Q, R> chain) {
        return dedupe == null ? chain : dedupe.around(chain);
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
            return retry.around(chain);
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
        reports.add(meter.report());
        if (dedupe != null) {
            reports.add(dedupe.report());
        }
        if (retry != null) {
            reports.add(retry.report());
        }
        if (settler != null) {
            reports.add(settler.report());
        }
        if (collapser != null) {
            reports.add(collapser.report());
        }
        if (breaker != null) {
            reports.add(breaker.report());
        }
        if (limit != null) {
            reports.add(limit.report());
        }
        reports.add(attempts.report(limit == null ? 0 : limit.share(), timeLimiter.note()));
        return List.copyOf(reports);
    }

    FlowCounts counts(long now) {
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
