package dev.penstock.flow;

import dev.penstock.Durations;
import dev.penstock.Prioritized;
import dev.penstock.Service;
import dev.penstock.Setting.Origin;
import dev.penstock.Target;
import dev.penstock.Ticker;
import dev.penstock.breaker.Breaker;
import dev.penstock.breaker.BreakerSettings;
import dev.penstock.collapse.Collapse;
import dev.penstock.collapse.Collapser;
import dev.penstock.deadline.DeadlineFilter;
import dev.penstock.deadline.TimeLimiter;
import dev.penstock.dedupe.Dedupe;
import dev.penstock.dedupe.DedupeFilter;
import dev.penstock.limit.AdaptiveLimit;
import dev.penstock.limit.LearnedLimit;
import dev.penstock.limit.Limit;
import dev.penstock.limit.QueueSettings;
import dev.penstock.limit.TargetLimit;
import dev.penstock.meter.AttemptMeter;
import dev.penstock.meter.LastReasons;
import dev.penstock.meter.Meter;
import dev.penstock.retry.Retry;
import dev.penstock.retry.RetryFilter;
import dev.penstock.retry.Settle;
import dev.penstock.retry.Settler;
import dev.penstock.state.StateFile;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Builds a flow. The order of calls does not matter: stages always have the order shown in {@link dev.penstock.flow}. A stage
 * that is not configured is left out; only the meter is always present.
 *
 * <p>Not thread-safe.
 */
public final class FlowBuilder {
    /** The default upper bound of an adaptive limit. */
    public static final int MOST_FOUND = TargetLimit.MOST;

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

    private final String name;
    private @Nullable Duration deadline;
    private String deadlineReason = "given";
    private Origin deadlineOrigin = Origin.FILE;
    private @Nullable Dedupe dedupe;
    private @Nullable Retry retry;
    private @Nullable BreakerSettings breaker;
    private final LimitPlan limit = new LimitPlan();
    private @Nullable StateFile state;
    private Ticker ticker = Ticker.SYSTEM;
    private InstantSource wallClock = InstantSource.system();
    private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

    FlowBuilder(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a flow's name is a letter, then letters, digits, - and _, at most 64 characters, not '" + name
                            + "'");
        }
        this.name = name;
    }

    /**
     * Sets a deadline for the whole transaction, including waits and retries. Default: none.
     *
     * <p>A {@link Target} or any other service that {@linkplain Service#honorsDeadline() honors deadlines} reads the time
     * left from {@link dev.penstock.Deadline#current()}. Any other service is called on a separate virtual thread, without
     * the thread-locals of the caller (except inheritable ones). At the deadline this thread is interrupted, and the
     * transaction ends as {@link dev.penstock.Unknown}, cause timeout, even if the call continues: see {@link
     * Flow#strayCalls()}.
     *
     * @param time more than 0
     * @throws IllegalArgumentException when it is not more than 0
     */
    public FlowBuilder deadline(Duration time) {
        DeadlineFilter.of(time);
        deadline = time;
        deadlineReason = "given";
        deadlineOrigin = Origin.FILE;
        return this;
    }

    /**
     * Like {@link #deadline(Duration)}, for a default that the user did not configure.
     *
     * @param time more than 0
     * @param reason the reason shown with the setting
     * @throws IllegalArgumentException when it is not more than 0
     */
    public FlowBuilder defaultDeadline(Duration time, String reason) {
        deadline(time);
        deadlineReason = reason;
        deadlineOrigin = Origin.DEFAULT;
        return this;
    }

    /** Processes one transaction per idempotency key, however often its request arrives. Default: no deduplication. */
    public FlowBuilder dedupe(Dedupe settings) {
        dedupe = settings;
        return this;
    }

    /** Retries when it is safe to do so. Default: no retries. */
    public FlowBuilder retry(Retry policy) {
        retry = policy;
        return this;
    }

    /** Adds a circuit breaker with the default settings. Default: no breaker. */
    public FlowBuilder breaker() {
        return breaker(BreakerSettings.DEFAULTS);
    }

    /** Adds a circuit breaker. Default: no breaker. */
    public FlowBuilder breaker(BreakerSettings settings) {
        breaker = settings;
        return this;
    }

    /**
     * Limits concurrent calls to the target. The limit adapts to measured throughput, between 1 and {@value #MOST_FOUND}. It
     * starts at {@value AdaptiveLimit#INITIAL}.
     */
    public FlowBuilder limit() {
        return limit(1, MOST_FOUND);
    }

    /**
     * Limits concurrent calls to the target. The limit adapts to measured throughput within the given bounds. It starts at
     * {@value AdaptiveLimit#INITIAL}, or at the nearest bound.
     *
     * @param min the lower bound; 1 or more
     * @param max the upper bound; {@code min} to 1,000,000
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder limit(int min, int max) {
        limit.between(min, max);
        return this;
    }

    /**
     * Limits concurrent calls to the target to a fixed number.
     *
     * @param permits the maximum number of concurrent calls; 1 to 1,000,000
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder limit(int permits) {
        return limit(permits, "given");
    }

    /**
     * Limits concurrent calls to the target to a fixed number.
     *
     * @param permits the maximum number of concurrent calls; 1 to 1,000,000
     * @param reason the reason shown with the setting
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder limit(int permits, String reason) {
        limit.pinned(permits, reason);
        return this;
    }

    /**
     * Limits concurrent calls to a target that several flows share, and divides the permits fairly among them. Pass the same
     * object to each flow. Replaces a limit of this flow alone. {@link #state} has no effect on it: see {@link
     * TargetLimit#adaptive(int, int, Duration, LearnedLimit)}.
     *
     * @param shared the limit of the target
     */
    public FlowBuilder limit(TargetLimit shared) {
        limit.shared(shared);
        return this;
    }

    /**
     * Adds a sentence to the reason shown with the limit, for instance why it is not shared.
     *
     * @param sentence without a full stop
     */
    public FlowBuilder limitNote(String sentence) {
        limit.note(sentence);
        return this;
    }

    /**
     * Sets how long a transaction may wait for a permit, in place of the adaptive bound (see {@link QueueSettings}). Implies a
     * limit.
     *
     * @param time 0 or more
     * @throws IllegalArgumentException when negative
     */
    public FlowBuilder queue(Duration time) {
        limit.queueTime(time);
        return this;
    }

    /**
     * Sets how long a transaction may wait for a permit and how many may wait at once, in place of the adaptive bounds (see
     * {@link QueueSettings}). Implies a limit.
     *
     * @param time 0 or more
     * @param length 0 to 1,000,000; 0 disables the queue
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder queue(Duration time, int length) {
        limit.queueLength(length);
        return queue(time);
    }

    /**
     * Sets how many transactions may wait for a permit at once; the queue time stays adaptive. Implies a limit.
     *
     * @param length 0 to 1,000,000; 0 disables the queue
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder queueLength(int length) {
        limit.queueLength(length);
        return this;
    }

    /**
     * Sets the urgency of requests, as in RFC 9218 section 4.1: 0 is the most urgent, 7 the least. Values out of range are
     * clamped. Under overload the more urgent requests are served first, and the least urgent are shed first. Default: the
     * urgency of a {@link Prioritized} request, otherwise 3. Implies a limit.
     *
     * @param urgency called with each request that may have to wait; must be thread-safe
     */
    public FlowBuilder priority(ToIntFunction<Object> urgency) {
        limit.urgency(urgency);
        return this;
    }

    /**
     * Stores learned values across restarts: the limit starts at the last value learned for this flow and target. Default:
     * nothing is stored.
     *
     * @param file shared by all flows of the process
     */
    public FlowBuilder state(StateFile file) {
        state = file;
        return this;
    }

    /** Sets the clock, for tests. Default: {@link Ticker#SYSTEM}. */
    public FlowBuilder ticker(Ticker clock) {
        ticker = clock;
        return this;
    }

    /** Sets the wall clock for {@code since} of settings, for tests. Default: the system clock. */
    public FlowBuilder wallClock(InstantSource clock) {
        wallClock = clock;
        return this;
    }

    /**
     * Sets the source of randomness, for tests. Default: {@link ThreadLocalRandom}.
     *
     * @param source must be thread-safe
     */
    public FlowBuilder random(RandomGenerator source) {
        random = source;
        return this;
    }

    /**
     * Builds the flow. An unknown ending that must not be retried stays unknown.
     *
     * @param target the service at the end; the settings of a {@link Target} are shown too. The flow does not close it
     */
    public <Q, R> Flow<Q, R> to(Service<Q, R> target) {
        return build(target, null);
    }

    /**
     * Builds a flow with a status probe, which resolves unknown endings that must not be retried. The probe finds the answer,
     * or finds that the target does not have the transaction; then the flow retries it as its {@link Retry} allows, or ends it
     * as {@link dev.penstock.Failed}. A parameter here rather than a stage of its own, because the probe has the same types as
     * the target.
     *
     * @param target the service at the end, as above
     * @param settle the status probe, when to call it, and how often. The flow does not close the probe
     */
    public <Q, R> Flow<Q, R> to(Service<Q, R> target, Settle<Q, R> settle) {
        return build(target, settle);
    }

    /**
     * Builds a flow that sends many requests in one call.
     *
     * @param collapse the batch target, and which requests share a batch. The flow does not close the target
     */
    public <Q, R> Flow<Q, R> to(Collapse<Q, R> collapse) {
        return build(collapse, null);
    }

    /**
     * Builds a flow that sends many requests in one call, with a status probe as above.
     *
     * @param collapse the batch target, and which requests share a batch. The flow does not close the target
     * @param settle the status probe, when to call it, and how often. The flow does not close the probe
     */
    public <Q, R> Flow<Q, R> to(Collapse<Q, R> collapse, Settle<Q, R> settle) {
        return build(collapse, settle);
    }

    private <Q, R> Flow<Q, R> build(Service<Q, R> target, @Nullable Settle<Q, R> settle) {
        Stages<Q, R> stages = stages(null, settle, target instanceof Target<?, ?> known ? known : null);
        return new Flow<>(name, stages, stages.around(target), ticker);
    }

    private <Q, R> Flow<Q, R> build(Collapse<Q, R> collapse, @Nullable Settle<Q, R> settle) {
        Collapser<Q, R> collapser = new Collapser<>(collapse, ticker, name);
        Stages<Q, R> stages = stages(collapser, settle, collapser.shown());
        return new Flow<>(name, stages, stages.around(collapser), ticker);
    }

    private <Q, R> Stages<Q, R> stages(
            @Nullable Collapser<Q, R> collapser, @Nullable Settle<Q, R> settle, @Nullable Target<?, ?> target) {
        SettingsRegistry settings = new SettingsRegistry(wallClock);
        Meter meter = new Meter(ticker, new LastReasons(name, wallClock));
        DeadlineFilter deadlines = deadlineStage(settings);
        DedupeFilter once = dedupeStage(settings);
        RetryFilter repeats = retryStage(meter, settings);
        Settler<Q, R> settler = settle == null ? null : settler(settle, settings);
        if (collapser != null) {
            CollapsePlan.show(collapser, settings);
        }
        showBreaker(settings);
        Limit bound = limitStage(meter, target, settings);
        // With dedupe a transaction continues after its attempt is answered: it writes to the idempotency store.
        boolean apart = collapser != null || once != null;
        TimeLimiter calls = new TimeLimiter(name + "-call", ticker, bound == null ? null : bound::strayCallEnded);
        AttemptMeter attempts =
                new AttemptMeter(meter, bound == null ? null : new AttemptsInFlight(bound, calls), apart);
        return new Stages<>(
                meter,
                deadlines,
                once,
                repeats,
                settler,
                collapser,
                breakerStage(attempts, bound),
                bound,
                attempts,
                calls,
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

    private DeadlineFilter deadlineStage(SettingsRegistry settings) {
        if (deadline == null) {
            return DeadlineFilter.inherited();
        }
        settings.add("deadline", "deadline", Durations.words(deadline), "more than 0", deadlineReason, deadlineOrigin);
        return DeadlineFilter.of(deadline);
    }

    private @Nullable DedupeFilter dedupeStage(SettingsRegistry settings) {
        if (dedupe == null) {
            return null;
        }
        dedupe.settings(settings.since()).forEach(setting -> settings.add("dedupe", setting));
        return new DedupeFilter(dedupe, name, ticker, random);
    }

    private @Nullable RetryFilter retryStage(Meter meter, SettingsRegistry settings) {
        if (retry == null) {
            return null;
        }
        retry.settings(settings.since()).forEach(setting -> settings.add("retry", setting));
        return new RetryFilter(retry, meter, ticker, random);
    }

    private <Q, R> Settler<Q, R> settler(Settle<Q, R> settle, SettingsRegistry settings) {
        settle.settings(settings.since()).forEach(setting -> settings.add("settle", setting));
        TimeLimiter queries = new TimeLimiter(name + "-status-query", ticker, null);
        return new Settler<>(settle, queries::around, ticker, random);
    }

    private void showBreaker(SettingsRegistry settings) {
        if (breaker == null) {
            return;
        }
        boolean standard = breaker.equals(BreakerSettings.DEFAULTS);
        settings.add(
                "breaker",
                "breaker.failures",
                Math.round(100 * breaker.failureShare()) + " %",
                "1..100 %",
                "opens for " + Durations.words(breaker.openFor()) + " when this share of at least "
                        + breaker.fewestCalls()
                        + " calls in 10 s fails, or " + breaker.fewestCalls() + " in a row fail or "
                        + breaker.connectFailures() + " cannot connect, each for 1 s, or when " + breaker.fewestCalls()
                        + " are in flight and none is answered",
                standard ? Origin.DEFAULT : Origin.PINNED);
    }

    private @Nullable Breaker breakerStage(AttemptMeter attempts, @Nullable Limit bound) {
        if (breaker == null) {
            return null;
        }
        Breaker stage = new Breaker(breaker, attempts, ticker);
        if (bound != null) {
            stage.onChange(new LimitNotifier(bound));
        }
        return stage;
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

    private @Nullable Limit limitStage(Meter meter, @Nullable Target<?, ?> target, SettingsRegistry settings) {
        Limit stage = limit.stage(deadline, meter, learnedLimit(target), ticker, random);
        if (stage != null) {
            limit.show(stage, settings);
        }
        return stage;
    }

    /** The stored limit. Its key contains the target, since the limit of another target does not apply to this one. */
    private @Nullable LearnedLimit learnedLimit(@Nullable Target<?, ?> target) {
        StateFile file = state;
        if (file == null || limit.isShared()) {
            return null;
        }
        String key = StateFile.name("limit:" + name + (target == null ? "" : "@" + target.where()));
        return new LearnedLimit(file.value(key), permits -> file.keep(key, permits));
    }
}
