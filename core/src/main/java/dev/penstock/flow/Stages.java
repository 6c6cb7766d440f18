package dev.penstock.flow;

import dev.penstock.BatchEndings;
import dev.penstock.CallContext.Reservation;
import dev.penstock.Filter;
import dev.penstock.LiveSetting;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Settle;
import dev.penstock.StageReport;
import dev.penstock.Target;
import dev.penstock.Ticker;
import dev.penstock.bottleneck.FlowCounts;
import dev.penstock.breaker.Breaker;
import dev.penstock.breaker.BreakerFilter;
import dev.penstock.collapse.Batch;
import dev.penstock.collapse.Collapser;
import dev.penstock.deadline.DeadlineFilter;
import dev.penstock.deadline.TimeLimitFilter;
import dev.penstock.deadline.TimeLimiter;
import dev.penstock.dedupe.DedupeFilter;
import dev.penstock.limit.Limit;
import dev.penstock.limit.LimitFilter;
import dev.penstock.limit.SharedLimit;
import dev.penstock.meter.AttemptFilter;
import dev.penstock.meter.AttemptMeter;
import dev.penstock.meter.LastReasons;
import dev.penstock.meter.Meter;
import dev.penstock.meter.SafeObserver;
import dev.penstock.retry.RetryFilter;
import dev.penstock.retry.SettleFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The stages of one flow, and their order. A null stage is disabled. */
record Stages<Q, R>(
        Meter meter,
        DeadlineFilter<Q, R> deadline,
        @Nullable DedupeFilter<Q, R> dedupe,
        @Nullable RetryFilter<Q, R> retry,
        @Nullable SettleFilter<Q, R> settle,
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
        Meter meter = new Meter(
                ticker,
                new LastReasons(given.name, given.wallClock),
                given.name,
                given.observer == null ? null : new SafeObserver(given.observer));
        SettleFilter<Q, R> settling = settle == null ? null : settling(given, settle);
        AttemptMeter attempts = new AttemptMeter(ticker, given.name);
        Limit limit = given.limit.stage(given, target, settings);
        return new Stages<>(
                meter,
                given.deadline == null ? DeadlineFilter.inherited() : DeadlineFilter.of(given.deadline),
                dedupe(given, settling),
                given.retry == null
                        ? null
                        : new RetryFilter<>(given.retry, settling, meter::offeredRecently, ticker, given.random),
                settling,
                collapser,
                breaker(given, attempts, limit),
                limit,
                attempts,
                new TimeLimiter(given.name + "-call", ticker, limit == null ? null : limit::strayCallEnded),
                target,
                settings);
    }

    private static <Q, R> SettleFilter<Q, R> settling(FlowBuilder<Q> given, Settle<Q, R> settle) {
        TimeLimiter queries = new TimeLimiter(given.name + "-status-query", given.ticker, null);
        return new SettleFilter<>(settle, new TimeLimitFilter<>(queries), given.ticker, given.random);
    }

    private static <Q, R> @Nullable DedupeFilter<Q, R> dedupe(
            FlowBuilder<Q> given, @Nullable SettleFilter<Q, R> settle) {
        return given.dedupe == null
                ? null
                : new DedupeFilter<>(
                        given.dedupe,
                        given.name,
                        given.ticker,
                        given.random,
                        new FlowUnknownResolver<>(given.retry, settle));
    }

    private static @Nullable Breaker breaker(FlowBuilder<?> given, AttemptMeter attempts, @Nullable Limit limit) {
        if (given.breaker == null) {
            return null;
        }
        Breaker breaker = new Breaker(given.breaker, attempts, given.ticker);
        if (limit != null) {
            breaker.onChange(new LimitNotifier(limit));
        }
        return breaker;
    }

    /** Stops the limit from adapting while the breaker is open: calls then do not show the capacity of the target. */
    private record LimitNotifier(Limit limit) implements Breaker.Listener {
        @Override
        public void cutOff(long now) {
            limit.cutOff();
        }

        @Override
        public void resumed(long now) {
            limit.resumed(now);
        }
    }

    /** Wraps all stages but the meter around a target. */
    Service<Q, R> around(Service<Q, R> target) {
        Service<Q, R> attempts = attempted(target);
        // Inside the limit: a key is claimed only when a permit is held.
        return outer(limited(dedupe == null ? attempts : dedupe.claiming(attempts)));
    }

    /** Wraps all stages but the meter around a batch target. */
    Service<Q, R> around(Collapser<Q, R> batches) {
        Service<List<Q>, BatchEndings<R>> attempts = attempted(batches.target());
        Service<Batch<Q, R>, BatchEndings<R>> inner =
                batches.departing(dedupe == null ? attempts : new ClaimedBatch<>(dedupe, attempts));
        return outer(batches.around(limited(inner)));
    }

    private <A, B> Service<A, B> attempted(Service<A, B> target) {
        return new AttemptFilter<A, B>(attempts).around(new TimeLimitFilter<A, B>(timeLimiter).around(target));
    }

    private <A, B> Service<A, B> limited(Service<A, B> inner) {
        Service<A, B> chain =
                limit == null ? inner : new LimitFilter<A, B>(limit, deadline::isCallersOwn).around(inner);
        return breaker == null ? chain : new BreakerFilter<A, B>(breaker, deadline::isCallersOwn).around(chain);
    }

    /** With a retry stage, that one calls the settle stage. */
    private Service<Q, R> outer(Service<Q, R> inner) {
        Filter<Q, R> again = retry != null ? retry : settle;
        Service<Q, R> chain = again == null ? inner : again.around(inner);
        return deadline.around(dedupe == null ? chain : dedupe.around(chain));
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
        return limit.admit(request, allowed);
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
        if (settle != null) {
            reports.add(settle.report());
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
                connecting(),
                String.join("; ", attempts.frequentErrors().values()));
    }

    private static FlowCounts.Bound bound(Limit limit) {
        SharedLimit all = limit.target();
        return new FlowCounts.Bound(limit.share(), all.permits(), all.limitingFactor(), all.reason(), all.plateau());
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
