package dev.penstock;

import dev.penstock.CollapseSettings.Bounds;
import dev.penstock.CollapseSettings.Budget;
import dev.penstock.CollapseSettings.Grouping;
import dev.penstock.CollapseSettings.Halving;
import dev.penstock.Setting.Origin;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends many requests to a target in one call (request collapsing). Immutable; each method returns a changed copy. {@link
 * dev.penstock.flow.FlowBuilder#to(Collapse)} makes it a stage of a flow:
 *
 * <pre>{@code
 * Flow<Integer, Price> prices = Flow.named("prices")
 *         .deadline(Duration.ofSeconds(2))
 *         .adaptiveConcurrency()
 *         .to(Collapse.into(api::pricesOf));       // List<Price> pricesOf(List<Integer> articles)
 * Price price = prices.call(4711);
 * }</pre>
 *
 * <p>Defaults: at most {@value #DEFAULT_MAX} requests per batch; no limit in bytes; a request waits at most 10 % of the mean call
 * time, and batches stay small enough not to slow callers down by more than that; equal requests are not merged; all
 * requests share one open batch; a batch that the target refuses or undoes as a whole is split in halves and sent again.
 *
 * <h2>What a batch function throws</h2>
 *
 * <p>A batch function returns an answer for every request, or {@link BatchEndings} with an ending for each. When it can
 * return neither, the exception it throws determines how the requests end:
 *
 * <table>
 * <caption>Exceptions of a batch function, and how the requests of the batch end</caption>
 * <tr><th>exception</th><th>when to throw it</th><th>consequence</th></tr>
 * <tr><td>{@link dev.penstock.Failed}, {@code REFUSED} or {@code UNDONE}</td>
 *   <td>the target refuses the batch, for instance because one request is invalid, and no request has taken effect</td>
 *   <td>the batch is split in halves until the request at fault is alone: it ends with this exception, the others are
 *   answered</td></tr>
 * <tr><td>{@code Failed}, {@code ROLLED_BACK}</td>
 *   <td>no request has taken effect, for a temporary reason</td>
 *   <td>all requests end with this exception; the flow's retry may repeat them</td></tr>
 * <tr><td>{@code Failed}, {@code CONNECT}; {@link dev.penstock.Rejected}</td>
 *   <td>nothing was sent</td>
 *   <td>all requests end with this exception; the flow's retry may repeat them</td></tr>
 * <tr><td>{@link dev.penstock.Unknown}</td>
 *   <td>the batch was sent, and no answer came</td>
 *   <td>all requests end with this exception</td></tr>
 * <tr><td>any other exception, or a list of the wrong length</td>
 *   <td>a bug: it is unknown which requests have taken effect</td>
 *   <td>all end as {@code Unknown}, cause error or garbled; with {@link #readOnly()} the batch is split in halves
 *   instead</td></tr>
 * </table>
 *
 * <p>A function that validates its requests first therefore throws {@code new Failed(REFUSED, "...", e)}, not the {@code
 * IllegalArgumentException} itself. A function that knows the ending of each request returns {@code BatchEndings}.
 *
 * <h2>Threads</h2>
 *
 * <p>Many threads call the functions passed to this class. When a function that takes a single request throws, that request
 * is not sent and ends as {@link dev.penstock.Failed}, cause undone; other requests are unaffected.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class Collapse<Q, R> {
    /** The default maximum number of requests per batch. */
    public static final int DEFAULT_MAX = 100;

    /** The largest value that {@link #max} accepts. */
    public static final int LARGEST_BATCH = 100_000;

    /** The default maximum wait of a request for others, as a share of the mean call time. */
    public static final double DEFAULT_SHARE = 0.1;

    /** The maximum number of keys of {@link #per} with an open batch; requests with further keys are sent alone. */
    public static final int MAX_KEYS = 10_000;

    private final Service<List<Q>, BatchEndings<R>> batch;
    private final CollapseSettings<Q, R> settings;

    private Collapse(Service<List<Q>, BatchEndings<R>> batch, CollapseSettings<Q, R> settings) {
        this.batch = batch;
        this.settings = settings;
    }

    /**
     * Collapses into a function whose answers are in the order of the requests. When the number of answers differs from the
     * number of requests, all requests end as {@link dev.penstock.Unknown}, cause garbled.
     *
     * @param <Q> the request
     * @param <R> the answer
     * @param batch answers a list of requests with a list of answers. If it is a {@link dev.penstock.Target}, the flow also
     *     shows its settings
     * @return the configuration
     */
    public static <Q, R> Collapse<Q, R> into(Service<List<Q>, List<R>> batch) {
        return intoEndings(new AnswerAdapter<>(batch, (requests, answers) -> BatchEndings.answered(answers)));
    }

    /**
     * Collapses into a function that returns one ending for each request. Where answers have keys and come in any order, {@link
     * BatchEndings#byKey} matches them; add {@link #unique}.
     *
     * @param <Q> the request
     * @param <R> the answer
     * @param batch answers a list of requests with one ending each, in the same order. If it is a {@link
     *     dev.penstock.Target}, the flow also shows its settings
     * @return the configuration
     */
    public static <Q, R> Collapse<Q, R> intoEndings(Service<List<Q>, BatchEndings<R>> batch) {
        return new Collapse<>(
                batch,
                new CollapseSettings<>(
                        new Bounds<>(DEFAULT_MAX, Origin.DEFAULT, Long.MAX_VALUE, Origin.DEFAULT, request -> 0),
                        new Budget(DEFAULT_SHARE, null),
                        new Grouping<>(null, null, null, null),
                        Halving.REFUSED,
                        null));
    }

    /**
     * Sets the maximum number of requests per batch. Default: {@value #DEFAULT_MAX}.
     *
     * @param requests 1 to {@value #LARGEST_BATCH}; 1 turns collapsing off
     * @return a changed copy
     * @throws IllegalArgumentException when out of range
     */
    public Collapse<Q, R> max(int requests) {
        int most = Ranges.within("collapse.max", requests, 1, LARGEST_BATCH);
        Bounds<Q> now = settings.bounds();
        return with(settings.with(new Bounds<>(most, Origin.GIVEN, now.bytes(), now.bytesOrigin(), now.size())));
    }

    /**
     * Sets the maximum number of bytes per batch. A request larger than this is sent alone. Default: no limit.
     *
     * @param bytes more than 0
     * @param size returns the size of a request in bytes; negative counts as 0
     * @return a changed copy
     * @throws IllegalArgumentException when out of range
     */
    public Collapse<Q, R> maxBytes(long bytes, ToLongFunction<? super Q> size) {
        return maxBytes(bytes, size, Origin.GIVEN);
    }

    /**
     * As {@link #maxBytes}, but settings report the limit as a default, not as chosen by the user.
     *
     * @param bytes more than 0
     * @param size returns the size of a request in bytes; negative counts as 0
     * @return a changed copy
     * @throws IllegalArgumentException when out of range
     */
    public Collapse<Q, R> defaultMaxBytes(long bytes, ToLongFunction<? super Q> size) {
        return maxBytes(bytes, size, Origin.DEFAULT);
    }

    private Collapse<Q, R> maxBytes(long bytes, ToLongFunction<? super Q> size, Origin origin) {
        long most = Ranges.within("collapse.max_bytes", bytes, 1, Long.MAX_VALUE);
        Bounds<Q> now = settings.bounds();
        return with(settings.with(new Bounds<>(now.max(), now.maxOrigin(), most, origin, size)));
    }

    /**
     * Sets the maximum wait of a request for others, as a share of the mean call time. Default: {@value #DEFAULT_SHARE}. When that
     * is too short for a timer, requests do not wait. When concurrent calls slow each other down, larger batches can be
     * faster for everyone; then a wait of up to one call time is allowed.
     *
     * @param share 0 to 1; 0 never waits
     * @return a changed copy
     * @throws IllegalArgumentException when out of range
     */
    public Collapse<Q, R> budget(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a budget is a share from 0 to 1, not " + share);
        }
        return with(settings.with(new Budget(share, null)));
    }

    /**
     * Sets the maximum wait of a request for others to a fixed time, independent of call times.
     *
     * @param time 0 or more; 0 never waits
     * @return a changed copy
     * @throws IllegalArgumentException when negative
     */
    public Collapse<Q, R> budget(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("a budget is 0 or more, not " + Durations.format(time));
        }
        return with(settings.with(new Budget(settings.budget().share(), time)));
    }

    /**
     * Merges requests of one batch that have equal keys: one of them is sent, and every caller gets its answer. Use it for
     * reads only: two equal payments are two payments. Default: requests are not merged.
     *
     * @param key returns a key with {@code equals} and {@code hashCode}; null means the request is not merged
     * @return a changed copy
     */
    public Collapse<Q, R> same(Function<? super Q, ? extends @Nullable Object> key) {
        Grouping<Q> now = settings.grouping();
        return with(settings.with(new Grouping<>(key, now.unique(), now.scope(), now.fit())));
    }

    /**
     * Never puts two requests with equal keys into one batch, for targets that could not tell them apart. The later request
     * is sent at once in another call. Default: none.
     *
     * @param key returns a key with {@code equals} and {@code hashCode}; null means no restriction for this request
     * @return a changed copy
     */
    public Collapse<Q, R> unique(Function<? super Q, ? extends @Nullable Object> key) {
        Grouping<Q> now = settings.grouping();
        return with(settings.with(new Grouping<>(now.same(), key, now.scope(), now.fit())));
    }

    /**
     * Batches requests separately by key, such as a tenant, a shard or a credential. State of keys that are no longer used
     * is dropped. Default: all requests share one open batch.
     *
     * @param key returns a key with {@code equals} and {@code hashCode}
     * @return a changed copy
     */
    public Collapse<Q, R> per(Function<? super Q, ?> key) {
        Grouping<Q> now = settings.grouping();
        return with(settings.with(new Grouping<>(now.same(), now.unique(), key, now.fit())));
    }

    /**
     * Turns halving off: when the target refuses or undoes a batch as a whole, all its requests end that way. By default the
     * batch is split in halves, which are sent again, until the refused request is alone: 2 log2 n calls for one bad request
     * of n.
     *
     * @return a changed copy
     */
    public Collapse<Q, R> whole() {
        return with(settings.with(Halving.NONE));
    }

    /**
     * Declares that the batch function only reads, so that repeating a call has no effect. Then a batch is also halved when
     * the function throws an exception that is not an ending, or returns a list of the wrong length; only the request at
     * fault ends as {@link dev.penstock.Unknown}. Default: a batch is treated as read-only when every request in it is {@link
     * dev.penstock.ReadOnly}. No effect with {@link #whole()}.
     *
     * @return a changed copy
     */
    public Collapse<Q, R> readOnly() {
        return settings.halving() == Halving.NONE ? this : with(settings.with(Halving.MISTAKEN));
    }

    /**
     * Sends single requests to another service: batches of one, and requests that {@link #only} excludes from batches.
     * Default: the batch function with a list of one request.
     *
     * @param single answers one request
     * @return a changed copy
     */
    public Collapse<Q, R> alone(Service<? super Q, ? extends R> single) {
        return with(settings.with(single));
    }

    /**
     * Batches only requests that match; others are sent alone, at once. Default: all requests are batched.
     *
     * @param fit whether a request may share a batch
     * @return a changed copy
     */
    public Collapse<Q, R> only(Predicate<? super Q> fit) {
        Grouping<Q> now = settings.grouping();
        return with(settings.with(new Grouping<>(now.same(), now.unique(), now.scope(), fit)));
    }

    private Collapse<Q, R> with(CollapseSettings<Q, R> changed) {
        return new Collapse<>(batch, changed);
    }

    /** {@return the batch function} */
    public Service<List<Q>, BatchEndings<R>> batch() {
        return batch;
    }

    /** {@return the target with its settings and connections; null when the batch function is none} */
    public @Nullable Target<?, ?> target() {
        Service<?, ?> inner = batch instanceof AnswerAdapter<?, ?, ?> answering ? answering.batch() : batch;
        return inner instanceof Target<?, ?> known ? known : null;
    }

    /** {@return the configuration} */
    public CollapseSettings<Q, R> settings() {
        return settings;
    }

    /** Adapts a service that returns plain answers to one that returns endings. */
    private record AnswerAdapter<Q, A, R>(
            Service<List<Q>, ? extends A> batch, BiFunction<List<Q>, A, BatchEndings<R>> endings)
            implements Service<List<Q>, BatchEndings<R>> {
        @Override
        public BatchEndings<R> call(List<Q> requests) throws Exception {
            return endings.apply(requests, batch.call(requests));
        }

        @Override
        public boolean honorsDeadline() {
            return batch.honorsDeadline();
        }
    }
}
