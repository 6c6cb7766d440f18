package dev.penstock.collapse;

import dev.penstock.Answered;
import dev.penstock.Ending;
import dev.penstock.Service;
import dev.penstock.Setting.Origin;
import dev.penstock.Target;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import dev.penstock.Unanswered;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The stage: requests go in one by one, and come to the target in batches.
 *
 * <p>Safe for many threads.
 */
public final class Collapser<Q, R> {
    private final Service<List<Q>, BatchEndings<R>> batch;
    private final CollapseSettings<Q, R> given;
    private final AtomicReference<CollapseSettings<Q, R>> settings;
    private final Ticker ticker;
    private final CallTime callTime = new CallTime();
    private final BatchCounter tally;
    private final ThreadFactory threads;
    private @Nullable KeyedBatchers<Q, R> batchers;

    /**
     * A stage that has carried nothing.
     *
     * @param collapse what it was told
     * @param ticker the clock that waits go by
     * @param name of the flow, for the threads of batches
     */
    public Collapser(Collapse<Q, R> collapse, Ticker ticker, String name) {
        this.batch = collapse.batch();
        this.given = collapse.settings();
        this.settings = new AtomicReference<>(given);
        this.ticker = ticker;
        this.tally = new BatchCounter(ticker);
        this.threads = Thread.ofVirtual().name(name + "-batch-", 0).factory();
    }

    /** The target itself, which answers lists of requests. */
    public Service<List<Q>, BatchEndings<R>> target() {
        return new Carried<>(batch, given.single());
    }

    /** The target with its settings and connections; null when it has none to show. */
    public @Nullable Target<?, ?> shown() {
        Service<?, ?> inner = batch instanceof AnswerAdapter<?, ?, ?> answering ? answering.batch() : batch;
        return inner instanceof Target<?, ?> known ? known : null;
    }

    /**
     * The innermost part: where batches are sealed.
     *
     * @param target answers lists of requests, and meters how it does
     */
    public Service<Batch<Q, R>, BatchEndings<R>> departing(Service<List<Q>, BatchEndings<R>> target) {
        return new BatchDispatch<>(target, callTime);
    }

    /**
     * The outermost part: where requests come in. To be called once.
     *
     * @param next takes batches, through breaker and limit, to {@link #departing}
     */
    public Service<Q, R> around(Service<Batch<Q, R>, BatchEndings<R>> next) {
        BatchSender<Q, R> batchSender = new BatchSender<>(next, given.halving(), callTime, tally, ticker, threads);
        KeyedBatchers<Q, R> all = new KeyedBatchers<>(
                settings::get, () -> new Batcher<>(settings::get, batchSender, callTime, tally, ticker), ticker.nanos());
        batchers = all;
        return new Collapsed<>(all);
    }

    /** A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
    private record Collapsed<Q, R>(KeyedBatchers<Q, R> batchers) implements Service<Q, R> {
        @Override
        @SuppressWarnings("unchecked") // only answers of this kind come in
        public R call(Q request) throws Exception {
            return switch (carry(request, CallContext.required())) {
                case Answered<?> answered -> (R) answered.answer();
                case Unanswered ending -> throw ending;
            };
        }

        private Ending carry(Q request, CallContext callContext) throws Unanswered {
            Batcher<Q, R> together = batchers.of(request, callContext.now());
            return together == null ? batchers.anyway().callAlone(request, callContext) : together.call(request, callContext);
        }
    }

    /** A batch of one goes to the service for those, where there is one. */
    private record Carried<Q, R>(
            Service<List<Q>, BatchEndings<R>> batch, @Nullable Service<? super Q, ? extends R> single)
            implements Service<List<Q>, BatchEndings<R>> {
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

    /** Sends what waits; from now on nothing waits for others. */
    public void drain() {
        if (batchers != null) {
            batchers.drain();
        }
    }

    /** How many requests a batch has at most. */
    public int max() {
        return settings.get().max();
    }

    /**
     * Bounds batches that are opened from now on.
     *
     * @param requests 1 to {@value Collapse#MOST}; null for what it was told
     * @throws IllegalArgumentException when out of range; nothing has changed then
     */
    public void pinMax(@Nullable Integer requests) {
        settings.updateAndGet(now -> now.withMax(requests == null ? given.max() : requests));
    }

    /**
     * Bounds how long a request waits for others from now on.
     *
     * @param time 0 or more; null for what it was told
     * @throws IllegalArgumentException when negative; nothing has changed then
     */
    public void pinBudget(@Nullable Duration time) {
        settings.updateAndGet(now -> now.withTime(time == null ? given.time() : time));
    }

    /** How many bytes a batch has at most; {@code Long.MAX_VALUE} for no bound. */
    public long maxBytes() {
        return given.maxBytes();
    }

    /** Who chose how many bytes a batch has at most. */
    public Origin maxBytesOrigin() {
        return given.bytesOrigin();
    }

    /** Who chose how many requests a batch has at most, unless somebody has pinned another number. */
    public Origin maxOrigin() {
        return given.maxGiven() == null ? Origin.DEFAULT : Origin.FILE;
    }

    /** How long a request may wait for others, as of now. */
    public Duration budget() {
        return Duration.ofNanos(batchers == null ? 0 : batchers.anyway().budget());
    }

    /** Whether the budget was given. */
    public boolean isBudgetPinned() {
        return settings.get().time() != null;
    }

    /** Why, and what a batch waits for. */
    public String reason() {
        return batchers == null ? "" : batchers.reason();
    }

    /** What batches are for. */
    public Prefer prefer() {
        return given.prefer();
    }

    /** Who chose that. */
    public Origin preferOrigin() {
        return given.prefer() == Prefer.AUTO ? Origin.DEFAULT : Origin.FILE;
    }

    /** What larger batches cost. */
    public String cost() {
        return batchers == null ? "" : batchers.cost();
    }

    /** What batches it has made so far. */
    public BatchCounts batches() {
        return tally.report();
    }

    /** How many requests have come in. */
    public long requests() {
        return tally.requests();
    }

    /** How many batches left each second, over the last 10 s. */
    public double batchesPerSecond() {
        return tally.perSecond();
    }
}
