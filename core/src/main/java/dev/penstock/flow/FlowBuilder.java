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
 * Collects the stages of a flow. The order of calls does not matter: stages always stand in the one order that {@link
 * dev.penstock.flow} shows. A stage that is not named is left out, but for the meter, which every flow has.
 *
 * <p>Not safe for many threads.
 */
public final class FlowBuilder {
    /** The most permits that a limit finds for itself, unless it is given other bounds. */
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
                    "a flow's name is a letter, then letters, digits, - and _, at most 64, not '" + name + "'");
        }
        this.name = name;
    }

    /**
     * Bounds the time of a whole transaction, waits and repeats included. Default: none.
     *
     * <p>A {@link Target} and any other service that {@linkplain Service#honorsDeadline() honors deadlines} gets the time
     * left as {@link dev.penstock.Deadline#current()}. Any other service is called on a virtual thread of its own, without
     * the thread-locals of the caller (inheritable ones excepted). When its time is up its thread is interrupted, and the
     * transaction ends as {@link dev.penstock.Unknown}, cause timeout, even if the call goes on: see {@link
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
     * As {@link #deadline(Duration)}, with a time that no user chose.
     *
     * @param time more than 0
     * @param reason why that long, as the setting shall say
     * @throws IllegalArgumentException when it is not more than 0
     */
    public FlowBuilder defaultDeadline(Duration time, String reason) {
        deadline(time);
        deadlineReason = reason;
        deadlineOrigin = Origin.DEFAULT;
        return this;
    }

    /** Carries a transaction once for each key, however often its request comes. Default: requests are not told apart. */
    public FlowBuilder dedupe(Dedupe once) {
        dedupe = once;
        return this;
    }

    /** Repeats what is safe to repeat. Default: no repeats. */
    public FlowBuilder retry(Retry when) {
        retry = when;
        return this;
    }

    /** Cuts off a target that only fails, by the default settings. */
    public FlowBuilder breaker() {
        return breaker(BreakerSettings.DEFAULTS);
    }

    /** Cuts off a target that only fails. */
    public FlowBuilder breaker(BreakerSettings when) {
        breaker = when;
        return this;
    }

    /**
     * Bounds what is at the target at once, by a number that finds itself: 1 to {@value #MOST_FOUND}, and {@value
     * AdaptiveLimit#INITIAL} to begin with.
     */
    public FlowBuilder limit() {
        return limit(1, MOST_FOUND);
    }

    /**
     * Bounds what is at the target at once, by a number that finds itself between two others. It begins with {@value
     * AdaptiveLimit#INITIAL}, or the bound that is nearest to that.
     *
     * @param min how many at least; 1 or more
     * @param max how many at most; {@code min} to 1,000,000
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder limit(int min, int max) {
        limit.between(min, max);
        return this;
    }

    /**
     * Bounds what is at the target at once, by a number that stays.
     *
     * @param most how many; 1 to 1,000,000
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder limit(int most) {
        return limit(most, "given");
    }

    /**
     * Bounds what is at the target at once, by a number that stays.
     *
     * @param most how many; 1 to 1,000,000
     * @param reason why that many, as the setting shall say
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder limit(int most, String reason) {
        limit.pinned(most, reason);
        return this;
    }

    /**
     * Limits concurrent calls to the target together with other flows that go there, and shares the permits fairly: give the
     * same object to each. Takes the place of a limit of its own; {@link #state} is of no use to it, see {@link
     * TargetLimit#adaptive(int, int, Duration, LearnedLimit)}.
     *
     * @param shared by all flows to this target
     */
    public FlowBuilder limit(TargetLimit shared) {
        limit.shared(shared);
        return this;
    }

    /**
     * Adds a sentence to the reason of the limit, for instance why it is not shared.
     *
     * @param sentence without its full stop
     */
    public FlowBuilder limitNote(String sentence) {
        limit.note(sentence);
        return this;
    }

    /**
     * Bounds how long a transaction waits for a permit, in place of the bound that finds itself (see {@link QueueSettings}).
     * Brings a limit with it.
     *
     * @param time 0 or more
     * @throws IllegalArgumentException when negative
     */
    public FlowBuilder queue(Duration time) {
        limit.queueTime(time);
        return this;
    }

    /**
     * Bounds how long a transaction waits for a permit, and how many may wait at once, in place of the bounds that find
     * themselves (see {@link QueueSettings}). Brings a limit with it.
     *
     * @param time 0 or more
     * @param length 0 to 1,000,000; 0 lets nobody wait
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder queue(Duration time, int length) {
        limit.queueLength(length);
        return queue(time);
    }

    /**
     * Bounds how many may wait for a permit at once, and leaves it to the flow how long. Brings a limit with it.
     *
     * @param length 0 to 1,000,000; 0 lets nobody wait
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder queueLength(int length) {
        limit.queueLength(length);
        return this;
    }

    /**
     * Tells how urgent a request is, on the scale of RFC 9218 section 4.1: 0, the most urgent, to 7, the least. Numbers
     * beyond either end count as that end. When not all can be served, the more urgent are served first, and the least
     * urgent are shed first. Default: what a {@link Prioritized} request says itself, otherwise 3. Brings a limit with it.
     *
     * @param of called with each request that may have to wait; safe for many threads
     */
    public FlowBuilder priority(ToIntFunction<Object> of) {
        limit.urgency(of);
        return this;
    }

    /**
     * Keeps what is learned, so that it outlives a restart: the limit starts from the last one for this flow and target.
     * Default: nothing is kept.
     *
     * @param file one for all flows of a process
     */
    public FlowBuilder state(StateFile file) {
        state = file;
        return this;
    }

    /** Takes another clock, for tests. Default: {@link Ticker#SYSTEM}. */
    public FlowBuilder ticker(Ticker clock) {
        ticker = clock;
        return this;
    }

    /** Takes another clock for the since-when of settings, for tests. Default: the system's. */
    public FlowBuilder wallClock(InstantSource clock) {
        wallClock = clock;
        return this;
    }

    /**
     * Takes another source of randomness, for tests.
     *
     * @param source safe for many threads. Default: the thread's own
     */
    public FlowBuilder random(RandomGenerator source) {
        random = source;
        return this;
    }

    /**
     * Finishes the flow. What ends as unknown and may not be repeated stays unknown.
     *
     * @param target the service at the end; a {@link Target} also shows its settings. The flow does not close it
     */
    public <Q, R> Flow<Q, R> to(Service<Q, R> target) {
        return build(target, null);
    }

    /**
     * Finishes a flow that asks what became of a transaction when it ended as unknown and may not be repeated: the status
     * probe turns it into an answer, or into one that is not there, which is then repeated as the flow's {@link Retry}
     * allows, or ended as {@link dev.penstock.Failed}. Here, and not a stage of its own, as both know what is asked and
     * answered.
     *
     * @param target the service at the end, as above
     * @param settle whom to ask, when, and how often. The flow does not close the probe
     */
    public <Q, R> Flow<Q, R> to(Service<Q, R> target, Settle<Q, R> settle) {
        return build(target, settle);
    }

    /**
     * Finishes a flow that carries many requests by one call.
     *
     * @param collapse to which target, and which requests travel together. The flow does not close the target
     */
    public <Q, R> Flow<Q, R> to(Collapse<Q, R> collapse) {
        return build(collapse, null);
    }

    /**
     * Finishes a flow that carries many requests by one call, and asks what became of a transaction as above.
     *
     * @param collapse to which target, and which requests travel together. The flow does not close the target
     * @param settle whom to ask, when, and how often. The flow does not close the probe
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
        // What passes a dedupe goes on waiting when its attempt is answered: for the ledger.
        boolean apart = collapser != null || once != null;
        TimeLimiter calls = new TimeLimiter(name + "-call", ticker, bound == null ? null : bound::strayCallEnded);
        AttemptMeter attempts = new AttemptMeter(meter, bound == null ? null : new UnderWay(bound, calls), apart);
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

    /** The attempts at the target. A stray call has its permit still, but its attempt has ended. */
    private record UnderWay(Limit limit, TimeLimiter calls) implements LongSupplier {
        @Override
        public long getAsLong() {
            // Read first: a stray call that ends in between may be missing for a moment, but is never counted twice.
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
        TimeLimiter questions = new TimeLimiter(name + "-question", ticker, null);
        return new Settler<>(settle, questions::around, ticker, random);
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
                "opens when this share of " + breaker.fewestCalls() + " calls or more fails in 10 s, or "
                        + breaker.fewestCalls() + " in a row fail or " + breaker.connectFailures()
                        + " cannot connect, each for 1 s, or when "
                        + breaker.fewestCalls() + " are out and none is answered; for "
                        + Durations.words(breaker.openFor()),
                standard ? Origin.DEFAULT : Origin.PINNED);
    }

    private @Nullable Breaker breakerStage(AttemptMeter attempts, @Nullable Limit bound) {
        if (breaker == null) {
            return null;
        }
        Breaker stage = new Breaker(breaker, attempts, ticker);
        if (bound != null) {
            stage.onChange(new TellsLimit(bound));
        }
        return stage;
    }

    /** While a target is cut off, what is measured says nothing about how much it can take. */
    private record TellsLimit(Limit limit) implements Breaker.Listener {
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

    /** That of another target says nothing about this one. */
    private @Nullable LearnedLimit learnedLimit(@Nullable Target<?, ?> target) {
        StateFile file = state;
        if (file == null || limit.isShared()) {
            return null;
        }
        String key = StateFile.name("limit:" + name + (target == null ? "" : "@" + target.where()));
        return new LearnedLimit(file.value(key), permits -> file.keep(key, permits));
    }
}
