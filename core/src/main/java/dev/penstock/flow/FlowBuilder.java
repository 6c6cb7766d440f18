package dev.penstock.flow;

import dev.penstock.Durations;
import dev.penstock.Service;
import dev.penstock.Setting.Origin;
import dev.penstock.Target;
import dev.penstock.Ticker;
import dev.penstock.breaker.Breaker;
import dev.penstock.breaker.BreakerSettings;
import dev.penstock.deadline.DeadlineFilter;
import dev.penstock.limit.FixedLimit;
import dev.penstock.limit.Limit;
import dev.penstock.limit.QueueSettings;
import dev.penstock.meter.AttemptMeter;
import dev.penstock.meter.Meter;
import dev.penstock.retry.Retry;
import dev.penstock.retry.RetryFilter;
import dev.penstock.retry.Settle;
import dev.penstock.retry.Settler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
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
    /** How many may be at a target at once while nobody says otherwise. */
    public static final int DEFAULT_LIMIT = 512;

    /** How long a transaction may wait for a permit while nobody says otherwise. */
    public static final Duration DEFAULT_QUEUE_TIME = Duration.ofMillis(500);

    /** How many may wait for a permit while nobody says otherwise. */
    public static final int DEFAULT_QUEUE_LENGTH = 1_024;

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

    private final String name;
    private @Nullable Duration deadline;
    private @Nullable Retry retry;
    private @Nullable BreakerSettings breaker;
    private boolean limited;
    private @Nullable Integer permits;
    private String permitsReason = "given";
    private @Nullable Duration queueTime;
    private @Nullable Integer queueLength;
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
     * @param time more than 0
     * @throws IllegalArgumentException when it is not more than 0
     */
    public FlowBuilder deadline(Duration time) {
        DeadlineFilter.of(time);
        deadline = time;
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

    /** Bounds what is at the target at once, by the default of {@value #DEFAULT_LIMIT}. */
    public FlowBuilder limit() {
        limited = true;
        return this;
    }

    /**
     * Bounds what is at the target at once.
     *
     * @param most how many; 1 to 1,000,000
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder limit(int most) {
        return limit(most, "given");
    }

    /**
     * Bounds what is at the target at once.
     *
     * @param most how many; 1 to 1,000,000
     * @param reason why that many, as the setting shall say
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder limit(int most, String reason) {
        permits = new FixedLimit(most, reason).permits();
        permitsReason = reason;
        return limit();
    }

    /**
     * Bounds how long a transaction waits for a permit. Default: 500 ms. Has a meaning only with a limit.
     *
     * @param time 0 or more
     * @throws IllegalArgumentException when negative
     */
    public FlowBuilder queue(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("a queue time is 0 or more, not " + Durations.words(time));
        }
        queueTime = time;
        return limit();
    }

    /**
     * Bounds how long a transaction waits for a permit, and how many may wait at once. Default: 500 ms and {@value
     * #DEFAULT_QUEUE_LENGTH}. Has a meaning only with a limit.
     *
     * @param time 0 or more
     * @param length 0 to 1,000,000; 0 lets nobody wait
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder queue(Duration time, int length) {
        if (length < 0 || length > 1_000_000) {
            throw new IllegalArgumentException("a queue length is 0 to 1000000, not " + length);
        }
        queueLength = length;
        return queue(time);
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

    private <Q, R> Flow<Q, R> build(Service<Q, R> target, @Nullable Settle<Q, R> settle) {
        SettingsLedger settings = new SettingsLedger(wallClock.instant());
        Meter meter = new Meter(ticker);
        DeadlineFilter deadlines = deadlineStage(settings);
        RetryFilter repeats = retryStage(meter, settings);
        Settler<Q, R> settler = settle == null ? null : settler(settle, settings);
        showBreaker(settings);
        Limit limit = limitStage(meter, settings);
        AttemptMeter attempts = new AttemptMeter(meter, limit == null ? null : limit::inFlight);
        Stages<Q, R> stages = new Stages<>(
                meter,
                deadlines,
                repeats,
                settler,
                breaker == null ? null : new Breaker(breaker, attempts, ticker),
                limit,
                attempts,
                target instanceof Target<?, ?> known ? known : null,
                settings);
        return new Flow<>(name, stages, target, ticker);
    }

    private DeadlineFilter deadlineStage(SettingsLedger settings) {
        if (deadline == null) {
            return DeadlineFilter.inherited();
        }
        settings.add("deadline", "deadline", Durations.words(deadline), "more than 0", "given", Origin.FILE);
        return DeadlineFilter.of(deadline);
    }

    private @Nullable RetryFilter retryStage(Meter meter, SettingsLedger settings) {
        if (retry == null) {
            return null;
        }
        settings.add("retry", "retry.attempts", retry.attempts(), "1..10", retry.toString(), Origin.FILE);
        return new RetryFilter(retry, meter, ticker, random);
    }

    private <Q, R> Settler<Q, R> settler(Settle<Q, R> settle, SettingsLedger settings) {
        settle.settings(settings.since()).forEach(setting -> settings.add("settle", setting));
        return new Settler<>(settle, ticker, random);
    }

    private void showBreaker(SettingsLedger settings) {
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
                        + breaker.connectFailures() + " in a row cannot connect, either for 1 s, or when "
                        + breaker.fewestCalls() + " are out and none is answered; for "
                        + Durations.words(breaker.openFor()),
                standard ? Origin.DEFAULT : Origin.PINNED);
    }

    private @Nullable Limit limitStage(Meter meter, SettingsLedger settings) {
        if (!limited) {
            return null;
        }
        FixedLimit fixed = permits == null
                ? new FixedLimit(DEFAULT_LIMIT, "room for " + DEFAULT_LIMIT + " in flight until someone says otherwise")
                : new FixedLimit(permits, permitsReason);
        Duration time = queueTime == null ? DEFAULT_QUEUE_TIME : queueTime;
        int length = queueLength == null ? DEFAULT_QUEUE_LENGTH : queueLength;
        settings.add("limit", "limit", fixed.permits(), "1..1000000", fixed.reason(), origin(permits));
        settings.add(
                "limit",
                "queue.time",
                Durations.words(time),
                "0 or more",
                "what waits longer is rejected, cause queue",
                origin(queueTime));
        settings.add(
                "limit",
                "queue.length",
                length,
                "0..1000000",
                "what comes when as many wait is rejected, cause limit",
                origin(queueLength));
        QueueSettings queue = QueueSettings.automatic().withLength(length).withTime(time);
        return new Limit(fixed, queue, meter, ticker, random);
    }

    private static Origin origin(@Nullable Object given) {
        return given == null ? Origin.DEFAULT : Origin.PINNED;
    }
}
