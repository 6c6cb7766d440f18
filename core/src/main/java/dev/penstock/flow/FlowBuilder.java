package dev.penstock.flow;

import dev.penstock.BreakerSettings;
import dev.penstock.Collapse;
import dev.penstock.Dedupe;
import dev.penstock.Observation.Observer;
import dev.penstock.Prioritized;
import dev.penstock.Retry;
import dev.penstock.Service;
import dev.penstock.Setting.Origin;
import dev.penstock.Settle;
import dev.penstock.StateFile;
import dev.penstock.Target;
import dev.penstock.Ticker;
import dev.penstock.collapse.Collapser;
import dev.penstock.deadline.DeadlineFilter;
import dev.penstock.limit.AdaptiveLimit;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Builds a flow. The order of calls does not matter: stages always have the order shown in {@link dev.penstock.flow}. A stage
 * that is not configured is left out; only the meter is always present.
 *
 * <p>A method that takes functions over requests returns this builder, typed by the requests that they accept. So chain the
 * calls. Not thread-safe.
 *
 * @param <Q> the requests of the flow: {@code Object} until a function over requests is given, then what it accepts
 */
public final class FlowBuilder<Q> {
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

    final String name;

    @Nullable
    Duration deadline;

    String deadlineReason = "given";
    Origin deadlineOrigin = Origin.GIVEN;

    @Nullable
    Dedupe<? super Q> dedupe;

    @Nullable
    Retry<? super Q> retry;

    @Nullable
    BreakerSettings breaker;

    final LimitPlan limit = new LimitPlan();

    @Nullable
    StateFile state;

    @Nullable
    Observer observer;

    Ticker ticker = Ticker.SYSTEM;
    InstantSource wallClock = InstantSource.system();
    RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

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
     * @return this builder
     * @throws IllegalArgumentException when it is not more than 0
     */
    public FlowBuilder<Q> deadline(Duration time) {
        DeadlineFilter.of(time);
        deadline = time;
        deadlineReason = "given";
        deadlineOrigin = Origin.GIVEN;
        return this;
    }

    /**
     * Like {@link #deadline(Duration)}, for a default that the user did not configure.
     *
     * @param time more than 0
     * @param reason the reason shown with the setting
     * @return this builder
     * @throws IllegalArgumentException when it is not more than 0
     */
    public FlowBuilder<Q> defaultDeadline(Duration time, String reason) {
        deadline(time);
        deadlineReason = reason;
        deadlineOrigin = Origin.DEFAULT;
        return this;
    }

    /**
     * Processes one transaction per idempotency key, however often its request arrives. Default: no deduplication.
     *
     * @param <P> the requests that the flow takes after this call: of the same type as before, or a subtype
     * @param settings which requests have a key, and how long their outcomes are kept
     * @return this builder
     */
    public <P extends Q> FlowBuilder<P> dedupe(Dedupe<? super P> settings) {
        FlowBuilder<P> typed = typed();
        typed.dedupe = settings;
        return typed;
    }

    /**
     * Retries when it is safe to do so. Default: no retries.
     *
     * @param <P> the requests that the flow takes after this call: of the same type as before, or a subtype
     * @param policy which requests are retried, how often and when
     * @return this builder
     */
    public <P extends Q> FlowBuilder<P> retry(Retry<? super P> policy) {
        FlowBuilder<P> typed = typed();
        typed.retry = policy;
        return typed;
    }

    /** This builder, for a flow with fewer requests: what accepts all of {@code Q} accepts these too. */
    @SuppressWarnings("unchecked")
    private <P extends Q> FlowBuilder<P> typed() {
        return (FlowBuilder<P>) this;
    }

    /**
     * Adds a circuit breaker with the default settings. Default: no breaker.
     *
     * @return this builder
     */
    public FlowBuilder<Q> breaker() {
        return breaker(BreakerSettings.DEFAULTS);
    }

    /**
     * Adds a circuit breaker. Default: no breaker.
     *
     * @param settings when it opens and closes
     * @return this builder
     */
    public FlowBuilder<Q> breaker(BreakerSettings settings) {
        breaker = settings;
        return this;
    }

    /**
     * Limits concurrent calls to the target to a fixed number. Default: no limit.
     *
     * @param calls the maximum number of concurrent calls; 1 to 1,000,000
     * @return this builder
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder<Q> concurrency(int calls) {
        limit.fixed(calls);
        return this;
    }

    /**
     * Limits concurrent calls to the target. The limit adapts to measured throughput, between 1 and {@value TargetLimit#MOST}.
     * It starts at {@value AdaptiveLimit#INITIAL}. Where the target refuses calls at once by their rate, whatever their number,
     * the rate is bounded too.
     *
     * @return this builder
     */
    public FlowBuilder<Q> adaptiveConcurrency() {
        return adaptiveConcurrency(1, TargetLimit.MOST);
    }

    /**
     * Limits concurrent calls to the target. The limit adapts to measured throughput within the given bounds. It starts at
     * {@value AdaptiveLimit#INITIAL}, or at the nearest bound.
     *
     * @param min the lower bound; 1 or more
     * @param max the upper bound; {@code min} to 1,000,000
     * @return this builder
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder<Q> adaptiveConcurrency(int min, int max) {
        limit.between(min, max);
        return this;
    }

    /**
     * Limits concurrent calls to a target that several flows share, and divides the permits fairly among them. Pass the same
     * object to each flow. Replaces a limit of this flow alone. {@link #state} has no effect on it: see {@link
     * TargetLimit#adaptive(int, int, Duration, StateFile, String)}.
     *
     * @param shared the limit of the target
     * @return this builder
     */
    public FlowBuilder<Q> sharedConcurrency(TargetLimit shared) {
        limit.shared(shared);
        return this;
    }

    /**
     * Adds a sentence to the reason shown with the limit, for instance why it is not shared.
     *
     * @param sentence without a full stop
     * @return this builder
     */
    public FlowBuilder<Q> limitNote(String sentence) {
        limit.note(sentence);
        return this;
    }

    /**
     * Sets how long a transaction may wait for a permit. Default: as long as an answer can still come within the deadline;
     * without a deadline 1 s. Implies a limit.
     *
     * @param time 0 or more
     * @return this builder
     * @throws IllegalArgumentException when negative
     */
    public FlowBuilder<Q> queue(Duration time) {
        limit.queueTime(time);
        return this;
    }

    /**
     * Sets how many transactions may wait for a permit at once. Default: as many as can be served in the queue time, at most
     * 10,000, and fewer during standing overload. Implies a limit.
     *
     * @param length 0 to 1,000,000; 0 disables the queue
     * @return this builder
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder<Q> queueLength(int length) {
        limit.queueLength(length);
        return this;
    }

    /**
     * Pins how many calls to the target may begin a second, evenly spaced; further ones wait as long as for a permit. Default: no
     * bound, until refusals of the target show one. Implies a limit.
     *
     * @param perSecond 0.1 to 1,000,000
     * @return this builder
     * @throws IllegalArgumentException when out of range
     */
    public FlowBuilder<Q> rate(double perSecond) {
        limit.rate(perSecond);
        return this;
    }

    /**
     * Sets the urgency of requests, as in RFC 9218 section 4.1: 0 is the most urgent, 7 the least. Values out of range are
     * clamped. Under overload the more urgent requests are served first, and the least urgent are shed first. Default: the
     * urgency of a {@link Prioritized} request, otherwise 3. Implies a limit.
     *
     * @param <P> the requests that the flow takes after this call: of the same type as before, or a subtype
     * @param urgency called with each request that may have to wait; must be thread-safe
     * @return this builder
     */
    public <P extends Q> FlowBuilder<P> priority(ToIntFunction<? super P> urgency) {
        limit.urgency(urgency);
        return typed();
    }

    /**
     * Lets the callers of the flow take turns while requests of equal urgency wait for a permit, so that one that sends many delays
     * others little. Default: requests wait in the order of their arrival. Implies a limit.
     *
     * @param <P> the requests that the flow takes after this call: of the same type as before, or a subtype
     * @param caller called with each request that may have to wait: who sent it, by {@code equals}, or null if that is unknown; must
     *     be thread-safe
     * @return this builder
     */
    public <P extends Q> FlowBuilder<P> fairBetween(Function<? super P, ? extends @Nullable Object> caller) {
        limit.callers(caller);
        return typed();
    }

    /**
     * Stores learned values across restarts: the limit starts at the last value learned for this flow and target. Default:
     * nothing is stored.
     *
     * @param file shared by all flows of the process
     * @return this builder
     */
    public FlowBuilder<Q> state(StateFile file) {
        state = file;
        return this;
    }

    /**
     * Follows the transactions of the flow, for traces and records. Default: none, at no cost.
     *
     * @param with follows them
     * @return this builder
     */
    public FlowBuilder<Q> observer(Observer with) {
        observer = with;
        return this;
    }

    /**
     * Sets the clock, for tests. Default: {@link Ticker#SYSTEM}.
     *
     * @param clock the clock
     * @return this builder
     */
    public FlowBuilder<Q> ticker(Ticker clock) {
        ticker = clock;
        return this;
    }

    /**
     * Sets the wall clock for {@code since} of settings, for tests. Default: the system clock.
     *
     * @param clock the clock
     * @return this builder
     */
    FlowBuilder<Q> wallClock(InstantSource clock) {
        wallClock = clock;
        return this;
    }

    /**
     * Sets the source of randomness, for tests. Default: {@link ThreadLocalRandom}.
     *
     * @param source must be thread-safe
     * @return this builder
     */
    public FlowBuilder<Q> random(RandomGenerator source) {
        random = source;
        return this;
    }

    /**
     * Builds the flow. An unknown ending that must not be retried stays unknown.
     *
     * @param <P> the requests of the flow: what the target accepts
     * @param <R> the answer
     * @param target the service at the end; the settings of a {@link Target} are shown too. The flow does not close it
     * @return the flow
     */
    public <P extends Q, R> Flow<P, R> to(Service<P, R> target) {
        return build(target, null);
    }

    // The probe is a parameter here and no stage of its own, because it has the same types as the target.

    /**
     * Builds a flow with a status probe, which resolves unknown endings that must not be retried. The probe finds the answer,
     * or finds that the target does not have the transaction; then the flow retries it as its {@link Retry} allows, or ends it
     * as {@link dev.penstock.Failed}.
     *
     * @param <P> the requests of the flow: what the target accepts
     * @param <R> the answer
     * @param target the service at the end, as above
     * @param settle the status probe, when to call it, and how often. The flow does not close the probe
     * @return the flow
     */
    public <P extends Q, R> Flow<P, R> to(Service<P, R> target, Settle<P, R> settle) {
        return build(target, settle);
    }

    /**
     * Builds a flow that sends many requests in one call.
     *
     * @param <P> the requests of the flow: what the target accepts
     * @param <R> the answer
     * @param collapse the batch target, and which requests share a batch. The flow does not close the target
     * @return the flow
     */
    public <P extends Q, R> Flow<P, R> to(Collapse<P, R> collapse) {
        return build(collapse, null);
    }

    /**
     * Builds a flow that sends many requests in one call, with a status probe as above.
     *
     * @param <P> the requests of the flow: what the target accepts
     * @param <R> the answer
     * @param collapse the batch target, and which requests share a batch. The flow does not close the target
     * @param settle the status probe, when to call it, and how often. The flow does not close the probe
     * @return the flow
     */
    public <P extends Q, R> Flow<P, R> to(Collapse<P, R> collapse, Settle<P, R> settle) {
        return build(collapse, settle);
    }

    private <P extends Q, R> Flow<P, R> build(Service<P, R> target, @Nullable Settle<P, R> settle) {
        Target<?, ?> shown = target instanceof Target<?, ?> known ? known : null;
        Stages<P, R> stages = Stages.of(typed(), null, settle, shown);
        return new Flow<>(name, stages, stages.around(target), ticker);
    }

    private <P extends Q, R> Flow<P, R> build(Collapse<P, R> collapse, @Nullable Settle<P, R> settle) {
        Collapser<P, R> collapser = new Collapser<>(collapse, ticker, name);
        Stages<P, R> stages = Stages.of(typed(), collapser, settle, collapser.shown());
        return new Flow<>(name, stages, stages.around(collapser), ticker);
    }
}
