package dev.penstock.flow;

import dev.penstock.Durations;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Ticker;
import dev.penstock.bottleneck.Bottleneck;
import dev.penstock.bottleneck.RecentFlowCounts;
import dev.penstock.collapse.BatchCounts;
import dev.penstock.collapse.Collapser;
import dev.penstock.dedupe.DedupeFilter;
import dev.penstock.dedupe.DedupeCounts;
import dev.penstock.limit.Limit;
import dev.penstock.meter.Accounting;
import dev.penstock.meter.LastReasons;
import dev.penstock.meter.StageReport;
import dev.penstock.retry.Settler;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A named chain of stages in front of a target. Call it like any service.
 *
 * <pre>{@code
 * Flow<HttpCall, HttpAnswer> payments = Flow.named("payments")
 *         .deadline(Duration.ofSeconds(5))
 *         .retry(Retry.byKey("Idempotency-Key"))
 *         .limit()
 *         .to(target);
 * HttpAnswer receipt = payments.call(request);   // or throws Rejected, Failed, Unknown
 * }</pre>
 *
 * <p>Safe for many threads.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class Flow<Q, R> implements Service<Q, R> {
    private static final long DRAIN_LOOK_NANOS = 5_000_000;
    private static final Rejected.Cause DRAINING = Rejected.Cause.DRAINING;

    private final String name;
    private final Stages<Q, R> stages;
    private final Service<Q, R> chain;
    private final Ticker ticker;
    private final RecentFlowCounts readings;
    private volatile boolean draining;

    Flow(String name, Stages<Q, R> stages, Service<Q, R> inner, Ticker ticker) {
        this.name = name;
        this.stages = stages;
        this.ticker = ticker;
        this.chain = stages.meter().around(new Gate<>(this, inner));
        this.readings = new RecentFlowCounts(stages.reading(ticker.nanos()));
    }

    /**
     * Begins a flow.
     *
     * @param name what it is called in accounts, metrics and answers: a letter, then letters, digits, {@code -} and {@code
     *     _}, at most 64
     * @throws IllegalArgumentException when the name is not of that form
     */
    public static FlowBuilder named(String name) {
        return new FlowBuilder(name);
    }

    /**
     * Carries one transaction.
     *
     * @return the target's answer
     * @throws dev.penstock.Rejected it was never sent
     * @throws dev.penstock.Failed it is known not to have taken effect, or was refused for good
     * @throws dev.penstock.Unknown it was sent, and no answer came
     */
    @Override
    public R call(Q request) throws Exception {
        return chain.call(request);
    }

    /**
     * Decides on the calling thread, without waiting, whether a request may come, so that what is rejected costs no hop to
     * another thread. Its place at the target, or in line for it, is taken; call the {@link Admission} on whatever thread,
     * or close it.
     *
     * <p>A rejection here counts as one transaction offered and rejected; it is not repeated by the flow's own retry.
     *
     * @return leave to enter; close it in any case, after its call or instead of it (its call closes it too)
     * @throws Rejected cause draining, deadline (by that of the flow, and that of the calling thread), breaker or limit
     */
    public Admission<Q, R> admit() throws Rejected {
        return admitted(null);
    }

    /**
     * As {@link #admit()}, for a request whose urgency matters when not all can be served.
     *
     * @param request what will be sent; only its urgency is looked at
     * @return leave to enter
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
            stages.meter().rejected(rejection, now);
            throw rejection;
        }
    }

    /**
     * How many more requests would be in process without waiting, as of now: for who takes in only what can be carried. 0
     * while draining, and while the breaker is open; once the breaker is due for trial calls, as many as it lets through.
     *
     * @return 0 or more; {@link Integer#MAX_VALUE} where nothing bounds it
     */
    public int headroom() {
        return draining ? 0 : stages.headroom(ticker.nanos());
    }

    /**
     * How many requests may be in process at once, as of now: for who keeps as many in hand as can be carried. 0 while
     * draining, and while the breaker is open; once the breaker is due for trial calls, as many as it lets through.
     *
     * @return 0 or more; {@link Integer#MAX_VALUE} where nothing bounds it
     */
    public int capacity() {
        return draining ? 0 : stages.capacity(ticker.nanos());
    }

    /**
     * How many calls of the target go on now, although their transactions have ended because their time was up. Each keeps
     * its permit until it ends. Only a target that does not {@linkplain Service#honorsDeadline() honor deadlines} and ignores
     * interrupts has any for longer than a moment. How many there were in all stands in the note of the stage {@code target}.
     */
    public long strayCalls() {
        return stages.timeLimiter().stray();
    }

    /** True: a flow bounds the calls of its own target. */
    @Override
    public boolean honorsDeadline() {
        return true;
    }

    /** The name that it was given. */
    public String name() {
        return name;
    }

    /** What became of every transaction offered so far, as of this instant. */
    public Accounting accounting() {
        return stages.meter().accounting();
    }

    /**
     * Why transactions ended without an answer: the last reason of each cause that occurred, with its time. Each reason is
     * also logged, under {@code penstock.endings}: at once when it is new, then how often it came, at most once a minute.
     */
    public List<LastReasons.Last> reasons() {
        return stages.meter().reasons();
    }

    /** Every setting as it is now, outermost stage first, the target's last. */
    public List<Setting> settings() {
        return stages.settings();
    }

    /**
     * Pins a setting while the flow runs: it takes this value in place of what is measured or was given, until it is
     * unpinned. Which can be, {@link Setting#pin} says.
     *
     * @param setting its name, for instance {@code limit}
     * @param value as it is written in a file, for instance {@code 100} or {@code 200ms}
     * @param by who wants it, in a word or two; the setting's reason says so
     * @return the setting as it is now
     * @throws IllegalArgumentException when there is no such setting, it cannot be pinned, or not to this value, with one
     *     line that says what to do
     */
    public Setting pin(String setting, String value, String by) {
        stages.pinnable(setting).pin(value, by);
        return stages.named(setting);
    }

    /**
     * Unpins a setting: what finds itself goes on from where it is, what was given goes back to that. Does nothing when it
     * is not pinned.
     *
     * @param setting its name
     * @return the setting as it is now
     * @throws IllegalArgumentException when there is no such setting, or it cannot be pinned
     */
    public Setting unpin(String setting) {
        stages.pinnable(setting).unpin();
        return stages.named(setting);
    }

    /** The names of its stages, outermost first, without the target: for instance meter, deadline, retry, limit. */
    public List<String> stageNames() {
        return stages.names();
    }

    /** What each stage that holds transactions has done so far, outermost first. */
    public List<StageReport> stages() {
        return stages.reports();
    }

    /**
     * Which stage binds, and what would move it: of the last 10 s when it is asked every second, of all the time since it was
     * asked last when that is longer.
     */
    public Bottleneck bottleneck() {
        return readings.look(stages.reading(ticker.nanos()));
    }

    /** What batches it has made so far; null where each request has a call of its own. */
    public @Nullable BatchCounts batches() {
        Collapser<Q, R> collapser = stages.collapser();
        return collapser == null ? null : collapser.batches();
    }

    /** What came of requests that bore a key; null where none is looked for. */
    public @Nullable DedupeCounts dedupeCounts() {
        DedupeFilter dedupe = stages.dedupe();
        return dedupe == null ? null : dedupe.dedupeCounts();
    }

    /**
     * Lets nothing new in, and waits until all that is in flight has ended. What is offered from now on ends as rejected,
     * cause draining. Requests that wait for others to travel with are sent at once. May be called again.
     *
     * @param atMost how long to wait; 0 does not wait
     * @return the accounting as of the end of the wait; in flight is 0 unless the time was too short
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
            ticker.parkUntil(Math.min(end, ticker.nanos() + DRAIN_LOOK_NANOS));
        }
        Limit limit = stages.limit();
        if (limit != null) {
            limit.keepLearned();
        }
        stages.meter().logRest();
        return accounting();
    }

    /** Whether {@link #drain} was called. */
    public boolean isDraining() {
        return draining;
    }

    /**
     * Asks no more what became of transactions: what is in doubt, now or later, ends as unknown at once. For when the
     * target is closed, so that nothing in flight waits for a question any more. Does nothing where nobody is asked.
     */
    public void stopSettling() {
        Settler<Q, R> settler = stages.settler();
        if (settler != null) {
            settler.stop();
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

    /** The chain in its order, with every setting. */
    @Override
    public String toString() {
        return name + ": " + stages.sentence();
    }
}
