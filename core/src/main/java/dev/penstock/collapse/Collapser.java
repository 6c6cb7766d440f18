package dev.penstock.collapse;

import dev.penstock.Answered;
import dev.penstock.BatchCounts;
import dev.penstock.BatchEndings;
import dev.penstock.CallContext;
import dev.penstock.Collapse;
import dev.penstock.CollapseSettings;
import dev.penstock.Ending;
import dev.penstock.Service;
import dev.penstock.Setting.Origin;
import dev.penstock.StageReport;
import dev.penstock.Target;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.meter.Timings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The collapse stage of a flow: takes single requests and sends them to the target in batches.
 *
 * <p>Safe for many threads.
 */
public final class Collapser<Q, R> {
    private final Collapse<Q, R> configured;
    private final CollapseSettings<Q, R> given;
    private final AtomicReference<Collapse<Q, R>> current;
    private final Ticker ticker;
    private final CallTime callTime = new CallTime();
    private final BatchCounter counter;
    private final ThreadFactory threads;
    private @Nullable KeyedBatchers<Q, R> batchers;

    /**
     * Creates a stage.
     *
     * @param collapse its configuration
     * @param ticker the clock for all waits
     * @param name the flow's name, used in the names of batch threads
     */
    public Collapser(Collapse<Q, R> collapse, Ticker ticker, String name) {
        this.configured = collapse;
        this.given = collapse.settings();
        this.current = new AtomicReference<>(collapse);
        this.ticker = ticker;
        this.counter = new BatchCounter(ticker);
        this.threads = Thread.ofVirtual().name(name + "-batch-", 0).factory();
    }

    /** The target, which answers lists of requests. */
    public Service<List<Q>, BatchEndings<R>> target() {
        return new SingleOrBatch<>(configured.batch(), given.single());
    }

    /** The target with its settings and connections; null when it is a plain function. */
    public @Nullable Target<?, ?> shown() {
        return configured.target();
    }

    /**
     * Returns the innermost service, which seals batches and calls the target.
     *
     * @param target answers lists of requests, with metering
     */
    public Service<Batch<Q, R>, BatchEndings<R>> departing(Service<List<Q>, BatchEndings<R>> target) {
        return new BatchDispatch<>(target, callTime);
    }

    /**
     * Returns the outermost service, which accepts single requests. Call it once.
     *
     * @param next passes batches through breaker and limit to {@link #departing}
     */
    public Service<Q, R> around(Service<Batch<Q, R>, BatchEndings<R>> next) {
        BatchSender<Q, R> batchSender = new BatchSender<>(next, given.halving(), callTime, counter, ticker, threads);
        KeyedBatchers<Q, R> all = new KeyedBatchers<>(
                this::settings,
                () -> new Batcher<>(this::settings, batchSender, callTime, counter, ticker),
                ticker.nanos());
        batchers = all;
        return new CollapsedService<>(all);
    }

    /** A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
    private record CollapsedService<Q, R>(KeyedBatchers<Q, R> batchers) implements Service<Q, R> {
        @Override
        @SuppressWarnings("unchecked") // only answers of this kind come in
        public R call(Q request) throws Exception {
            return switch (dispatch(request, CallContext.required())) {
                case Answered<?> answered -> (R) answered.answer();
                case Unanswered ending -> throw ending;
            };
        }

        private Ending dispatch(Q request, CallContext callContext) throws Unanswered {
            Batcher<Q, R> together = batchers.of(request, callContext.now());
            return together == null
                    ? batchers.shared().callAlone(request, callContext)
                    : together.call(request, callContext);
        }
    }

    /** Sends a batch of one to the single-request service, if configured. */
    private record SingleOrBatch<Q, R>(
            Service<List<Q>, BatchEndings<R>> batch,
            @Nullable Service<? super Q, ? extends R> single) implements Service<List<Q>, BatchEndings<R>> {
        @Override
        public BatchEndings<R> call(List<Q> requests) throws Exception {
            return single == null || requests.size() != 1
                    ? batch.call(requests)
                    : BatchEndings.answered(List.of(single.call(requests.getFirst())));
        }

        @Override
        public boolean honorsDeadline() {
            return batch.honorsDeadline() && (single == null || single.honorsDeadline());
        }
    }

    /** Sends open batches now; from then on requests do not wait for others. */
    public void drain() {
        if (batchers != null) {
            batchers.drain();
        }
    }

    /** The current maximum number of requests per batch. */
    public int max() {
        return settings().bounds().max();
    }

    private CollapseSettings<Q, R> settings() {
        return current.get().settings();
    }

    /**
     * Overrides the maximum number of requests for batches opened from now on.
     *
     * @param requests 1 to {@value Collapse#LARGEST_BATCH}; null restores the configured value
     * @throws IllegalArgumentException when out of range; nothing is changed then
     */
    public void pinMax(@Nullable Integer requests) {
        current.updateAndGet(now -> now.max(requests == null ? given.bounds().max() : requests));
    }

    /**
     * Overrides the maximum wait of a request for others, from now on.
     *
     * @param time 0 or more; null restores the configured value
     * @throws IllegalArgumentException when negative; nothing is changed then
     */
    public void pinBudget(@Nullable Duration time) {
        Duration fixed = time == null ? given.budget().time() : time;
        current.updateAndGet(now -> fixed == null ? now.budget(given.budget().share()) : now.budget(fixed));
    }

    /** The maximum number of bytes per batch; {@code Long.MAX_VALUE} for no limit. */
    public long maxBytes() {
        return given.bounds().bytes();
    }

    /** The origin of {@link #maxBytes}. */
    public Origin maxBytesOrigin() {
        return given.bounds().bytesOrigin();
    }

    /** The origin of the configured maximum number of requests; {@link #pinMax} does not change it. */
    public Origin maxOrigin() {
        return given.bounds().maxOrigin();
    }

    /** The current maximum wait of a request for others. */
    public Duration budget() {
        return Duration.ofNanos(batchers == null ? 0 : batchers.shared().budget());
    }

    /** Whether the budget is a fixed time, configured or pinned. */
    public boolean isBudgetPinned() {
        return settings().budget().time() != null;
    }

    /** The reason for the current budget, and what batches wait for, in one sentence. */
    public String reason() {
        return batchers == null ? "" : batchers.reason();
    }

    /** The learned cost of larger batches, in one sentence. */
    public String cost() {
        return batchers == null ? "" : batchers.cost();
    }

    /** Counts of the batches sent so far. */
    public BatchCounts batches() {
        return counter.report();
    }

    /** Requests accepted, and the rate of batches. */
    public StageReport report() {
        BatchCounts batches = counter.report();
        return new StageReport(
                "collapse",
                counter.requests(),
                counter.perSecond(),
                batches.waiting(),
                max(),
                batches.sentence(),
                Timings.none());
    }
}
