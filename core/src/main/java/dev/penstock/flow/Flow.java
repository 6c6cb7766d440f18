package dev.penstock.flow;

import dev.penstock.Accounting;
import dev.penstock.BatchCounts;
import dev.penstock.Bottleneck;
import dev.penstock.Dedupe;
import dev.penstock.Reason;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.StageReport;
import dev.penstock.Target;
import dev.penstock.Ticker;
import dev.penstock.bottleneck.RecentFlowCounts;
import dev.penstock.collapse.Collapser;
import dev.penstock.dedupe.DedupeFilter;
import dev.penstock.limit.Limit;
import dev.penstock.meter.MeterFilter;
import dev.penstock.retry.SettleFilter;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A named chain of stages in front of a target. Call it like any service.
 *
 * <pre>{@code
 * Flow<HttpCall, HttpAnswer> payments = Flow.named("payments")
 *         .deadline(Duration.ofSeconds(5))
 *         .retry(Retry.byKey("Idempotency-Key"))
 *         .adaptiveConcurrency()
 *         .to(target);
 * HttpAnswer receipt = payments.call(request);   // or throws Rejected, Failed, Unknown
 * }</pre>
 *
 * <p>Thread-safe.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class Flow<Q, R> implements Service<Q, R> {
    private static final long DRAIN_POLL_NANOS = 5_000_000;
    private static final Rejected.Cause DRAINING = Rejected.Cause.DRAINING;

    private final String name;
    private final Stages<Q, R> stages;
    private final Service<Q, R> chain;
    private final Ticker ticker;
    private final RecentFlowCounts recentCounts;
    private volatile boolean draining;

    Flow(String name, Stages<Q, R> stages, Service<Q, R> inner, Ticker ticker) {
        this.name = name;
        this.stages = stages;
        this.ticker = ticker;
        this.chain = new MeterFilter<Q, R>(stages.meter()).around(new Gate<>(this, inner));
        this.recentCounts = new RecentFlowCounts(stages.counts(ticker.nanos()));
    }

    /**
     * Starts to build a flow.
     *
     * @param name the name in reports, metrics and answers: a letter, then letters, digits, {@code -} and {@code _}, at most
     *     64 characters
     * @return the builder
     * @throws IllegalArgumentException when the name does not have this form
     */
    public static FlowBuilder<Object> named(String name) {
        return new FlowBuilder<>(name);
    }

    /**
     * Processes one transaction.
     *
     * @return the target's answer
     * @throws dev.penstock.Rejected if the request was not sent
     * @throws dev.penstock.Failed if it is known not to have taken effect, or was refused permanently
     * @throws dev.penstock.Unknown if it was sent and no answer came
     */
    @Override
    public R call(Q request) throws Exception {
        return chain.call(request);
    }

    /**
     * Admits or rejects a request on the calling thread without blocking, so that a rejected request costs no switch to
     * another thread. An admission reserves a permit or a position in the wait queue. Call the {@link Admission} on any
     * thread, or close it.
     *
     * <p>A rejection counts as one transaction offered and rejected; the flow's own retry does not apply to it.
     *
     * @return the admission; close it in any case, after or instead of its call (the call closes it too)
     * @throws Rejected cause draining, deadline (that of the flow or of the calling thread), breaker or limit
     */
    public Admission<Q, R> admit() throws Rejected {
        return admitted(null);
    }

    /**
     * Like {@link #admit()}, for a request with a priority.
     *
     * @param request the request that will be sent; only its urgency is used
     * @return the admission
     * @throws Rejected as above
     */
    public Admission<Q, R> admit(Q request) throws Rejected {
        return admitted(request);
    }

    private Admission<Q, R> admitted(@Nullable Q request) throws Rejected {
        long now = ticker.nanos();
        try {
            if (draining) {
                throw shuttingDown();
            }
            long allowed = stages.deadline().allowed();
            return new Admission<>(chain, stages.admit(request, allowed, now), ticker, now + allowed);
        } catch (Rejected rejection) {
            stages.meter().rejected(request, rejection, now);
            throw rejection;
        }
    }

    /**
     * The number of additional requests that could be processed now without waiting. For sources that only fetch what can be
     * processed. 0 while draining or while the breaker is open; the number of trial calls while the breaker is half-open.
     *
     * @return 0 or more; {@link Integer#MAX_VALUE} without a limit
     */
    public int headroom() {
        return draining ? 0 : stages.headroom(ticker.nanos());
    }

    /**
     * The number of requests that can be processed concurrently now. For sources that size their prefetch by it. 0 while
     * draining or while the breaker is open; the number of trial calls while the breaker is half-open.
     *
     * @return 0 or more; {@link Integer#MAX_VALUE} without a limit
     */
    public int capacity() {
        return draining ? 0 : stages.capacity(ticker.nanos());
    }

    /**
     * {@return the number of calls to the target that still run although their transactions have timed out} Each holds its
     * permit until it returns. Only a target that does not {@linkplain Service#honorsDeadline() honor deadlines} and ignores
     * interrupts has stray calls for more than a moment. The note of stage {@code target} shows the total so far.
     */
    public long strayCalls() {
        return stages.timeLimiter().stray();
    }

    /** True: a flow enforces its deadline on its target. */
    @Override
    public boolean honorsDeadline() {
        return true;
    }

    /** {@return the name of the flow} */
    public String name() {
        return name;
    }

    /** {@return the number of transactions by ending, as of one instant} */
    public Accounting accounting() {
        return stages.meter().accounting();
    }

    /**
     * {@return why transactions ended without an answer: the last reason for each cause that occurred, with its time} Each
     * reason is also logged to {@code penstock.endings}: immediately when it is new, then with a count, at most once a minute.
     */
    public List<Reason.Last> reasons() {
        return stages.meter().reasons();
    }

    /** {@return all current settings: outermost stage first, the target last} */
    public List<Setting> settings() {
        return stages.settings();
    }

    /**
     * Pins a setting at run time: it keeps this value until it is unpinned. {@link Setting#pin} shows whether a setting can
     * be pinned.
     *
     * @param setting its name, for instance {@code limit}
     * @param value as written in the flow file, for instance {@code 100} or {@code 200ms}
     * @param by who pins it, in one or two words; becomes part of the setting's reason
     * @return the setting after the change
     * @throws IllegalArgumentException when the setting does not exist, cannot be pinned, or the value is invalid; the
     *     message is one line that says what to do
     */
    public Setting pin(String setting, String value, String by) {
        stages.pinnable(setting).pin(value, by);
        return stages.named(setting);
    }

    /**
     * Unpins a setting. An adaptive setting adapts again, starting from the pinned value; any other returns to its configured
     * value. Does nothing when it is not pinned.
     *
     * @param setting its name
     * @return the setting after the change
     * @throws IllegalArgumentException when the setting does not exist or cannot be pinned
     */
    public Setting unpin(String setting) {
        stages.pinnable(setting).unpin();
        return stages.named(setting);
    }

    /** {@return the target, with its connections and settings; null when it is a plain function} */
    public @Nullable Target<?, ?> target() {
        return stages.target();
    }

    /** {@return the names of the stages, outermost first, without the target: for instance meter, deadline, retry, limit} */
    public List<String> stageNames() {
        return stages.names();
    }

    /** {@return a report of each stage that holds transactions, outermost first} */
    public List<StageReport> stages() {
        return stages.reports();
    }

    /**
     * {@return the bottleneck stage, and how to relieve it} Covers the last 10 s if this is called every second; otherwise the
     * time since the last call, if that is longer.
     */
    public Bottleneck bottleneck() {
        return recentCounts.bottleneck(stages.counts(ticker.nanos()));
    }

    /** {@return the number of answers of the target by status ({@link dev.penstock.Busy#status()}); only those that occurred} */
    public Map<Integer, Long> answersByStatus() {
        return stages.attempts().answersByStatus();
    }

    /**
     * {@return a sentence for each class of error answers, {@code 4xx} or {@code 5xx}, that is more frequent than usual; empty
     * when none is}
     */
    public Map<String, String> frequentErrors() {
        return stages.attempts().frequentErrors();
    }

    /** {@return the batches so far; null when requests are not collapsed} */
    public @Nullable BatchCounts batches() {
        Collapser<Q, R> collapser = stages.collapser();
        return collapser == null ? null : collapser.batches();
    }

    /** {@return the outcomes of requests with an idempotency key; null without a dedupe stage} */
    public Dedupe.@Nullable Counts dedupeCounts() {
        DedupeFilter<Q, R> dedupe = stages.dedupe();
        return dedupe == null ? null : dedupe.dedupeCounts();
    }

    /**
     * Stops accepting transactions and waits until all in flight have ended. New transactions are rejected, cause draining.
     * Batches that are still being collected are sent immediately. May be called again.
     *
     * @param atMost the maximum time to wait; 0 does not wait
     * @return the accounting at the end of the wait; in flight is 0 unless the time was too short
     */
    public Accounting drain(Duration atMost) {
        draining = true;
        Collapser<Q, R> collapser = stages.collapser();
        if (collapser != null) {
            collapser.drain();
        }
        long end = ticker.nanos() + Durations.nanos(atMost);
        while (accounting().inFlight() > 0
                && ticker.nanos() - end < 0
                && !Thread.currentThread().isInterrupted()) {
            ticker.parkUntil(Math.min(end, ticker.nanos() + DRAIN_POLL_NANOS));
        }
        Limit limit = stages.limit();
        if (limit != null) {
            limit.target().keepLearned();
        }
        stages.meter().logRemaining();
        stages.attempts().logChanges();
        return accounting();
    }

    /** {@return whether {@link #drain} was called} */
    public boolean isDraining() {
        return draining;
    }

    /**
     * Stops status queries: transactions without an answer, now or later, end as unknown immediately. Call it when the target
     * is closed, so that no transaction waits for a status query. Does nothing without a status probe.
     */
    public void stopSettling() {
        SettleFilter<Q, R> settle = stages.settle();
        if (settle != null) {
            settle.stop();
        }
    }

    /** A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
    private record Gate<Q, R>(Flow<Q, R> flow, Service<Q, R> next) implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            if (flow.draining) {
                throw flow.shuttingDown();
            }
            return next.call(request);
        }
    }

    private Rejected shuttingDown() {
        return new Rejected(DRAINING, "the flow " + name + " is shutting down");
    }

    /** The stages in order, with all settings. */
    @Override
    public String toString() {
        return name + ": " + stages.sentence();
    }
}
