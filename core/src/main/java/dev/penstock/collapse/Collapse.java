package dev.penstock.collapse;

import dev.penstock.Service;
import dev.penstock.Setting.Origin;
import dev.penstock.collapse.CollapseSettings.Halving;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Carries many requests to a target by one call. Immutable; each method gives a changed copy. It becomes a stage by {@link
 * dev.penstock.flow.FlowBuilder#to(Collapse)}:
 *
 * <pre>{@code
 * Flow<Integer, Price> prices = Flow.named("prices")
 *         .deadline(Duration.ofSeconds(2))
 *         .limit()
 *         .to(Collapse.into(api::pricesOf));       // List<Price> pricesOf(List<Integer> articles)
 * Price price = prices.call(4711);
 * }</pre>
 *
 * <p>Defaults: {@value #MAX} requests at most; no bound in bytes; a wait of at most 10 % of the time that calls take, and no
 * batches that make callers slower by more than that; equal
 * requests stay two; one batch for all; a batch that the target refuses as a whole, or undoes, is halved.
 *
 * <h2>What a batch function throws</h2>
 *
 * <p>A batch function returns normally when it has an answer for every request, or {@link BatchEndings} with an ending for each.
 * When it has neither, what it throws tells what became of the requests:
 *
 * <table>
 * <caption>What is thrown, and how the requests of the batch end</caption>
 * <tr><th>it throws</th><th>when</th><th>then</th></tr>
 * <tr><td>{@link dev.penstock.Failed}, {@code REFUSED} or {@code UNDONE}</td>
 *   <td>it does not take the batch, for instance because one request is invalid, and nothing of it has taken effect</td>
 *   <td>the batch is sent in halves until the request at fault is alone: that one ends so, the others are answered</td></tr>
 * <tr><td>{@code Failed}, {@code ROLLED_BACK}</td>
 *   <td>nothing has taken effect, for a reason that passes</td>
 *   <td>all end so; the flow's retry may repeat them</td></tr>
 * <tr><td>{@code Failed}, {@code CONNECT}; {@link dev.penstock.Rejected}</td>
 *   <td>nothing was sent</td>
 *   <td>all end so; the flow's retry may repeat them</td></tr>
 * <tr><td>{@link dev.penstock.Unknown}</td>
 *   <td>it was sent, and no answer came</td>
 *   <td>all end so</td></tr>
 * <tr><td>anything else, or it returns a list of the wrong length</td>
 *   <td>by mistake: nobody can tell what has taken effect</td>
 *   <td>all end as {@code Unknown}, cause error or garbled; with {@link #readOnly()} the batch is sent in halves instead</td></tr>
 * </table>
 *
 * <p>So a function that checks its requests before it does anything throws {@code new Failed(REFUSED, "...", e)}, not the
 * {@code IllegalArgumentException} itself; and one that can tell the requests apart returns {@code BatchEndings}.
 *
 * <h2>Threads</h2>
 *
 * <p>The functions that it is given are called by many threads. When one of those that look at a single request throws, nothing is sent, and that request alone is
 * {@link dev.penstock.Failed}, cause undone.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class Collapse<Q, R> {
    /** How many requests a batch has at most, by default. */
    public static final int MAX = 100;

    /** How many requests a batch can be allowed at most. */
    public static final int MOST = 100_000;

    /** Which part of the time of a call a request may wait for others, by default. */
    public static final double SHARE = 0.1;

    /** How many keys have batches of their own at once, at most; requests of further keys go alone. */
    public static final int MOST_KEYS = 10_000;

    private final Service<List<Q>, BatchEndings<R>> batch;
    private final CollapseSettings<Q, R> settings;

    private Collapse(Service<List<Q>, BatchEndings<R>> batch, CollapseSettings<Q, R> settings) {
        this.batch = batch;
        this.settings = settings;
    }

    /**
     * Answers come in the order of the requests. When there are more or fewer of them than requests, nobody can tell whose
     * is whose, and all requests are {@link dev.penstock.Unknown}, cause garbled.
     *
     * @param batch answers a list of requests by a list of answers. A {@link dev.penstock.Target} also shows its settings
     */
    public static <Q, R> Collapse<Q, R> into(Service<List<Q>, List<R>> batch) {
        return intoEndings(new AnswerAdapter<>(batch, (requests, answers) -> BatchEndings.answered(answers)));
    }

    /**
     * Answers are told apart by a key. A request whose key no answer bears, or more than one, is {@link
     * dev.penstock.Unknown}, cause garbled.
     *
     * @param batch answers a list of requests by answers in any order
     * @param keyOfRequest tells a request's key; two requests of equal keys never travel in one batch, unless they are the
     *     {@linkplain #same same}
     * @param keyOfAnswer tells an answer's key
     */
    public static <Q, R, K> Collapse<Q, R> intoKeyed(
            Service<List<Q>, ? extends Collection<R>> batch,
            Function<? super Q, K> keyOfRequest,
            Function<? super R, K> keyOfAnswer) {
        Collapse<Q, R> all = intoEndings(new AnswerAdapter<>(
                batch, (requests, answers) -> BatchEndings.byKey(requests, keyOfRequest, answers, keyOfAnswer)));
        return all.with(all.settings.withKey(keyOfRequest));
    }

    /**
     * Every request has an ending of its own.
     *
     * @param batch answers a list of requests by as many endings, in their order. A {@link dev.penstock.Target} also shows
     *     its settings
     */
    public static <Q, R> Collapse<Q, R> intoEndings(Service<List<Q>, BatchEndings<R>> batch) {
        return new Collapse<>(batch, CollapseSettings.standard());
    }

    /**
     * How many requests a batch has at most. Default: {@value #MAX}.
     *
     * @param requests 1 to {@value #MOST}; 1 collapses nothing
     * @throws IllegalArgumentException when out of range
     */
    public Collapse<Q, R> max(int requests) {
        return with(settings.withMax(requests));
    }

    /**
     * How many bytes a batch has at most. A request that alone has more goes alone. Default: not bounded.
     *
     * @param bytes more than 0
     * @param size tells how many a request adds; negative counts as 0
     * @throws IllegalArgumentException when out of range
     */
    public Collapse<Q, R> maxBytes(long bytes, ToLongFunction<? super Q> size) {
        return with(settings.withMaxBytes(bytes, size, Origin.FILE));
    }

    /**
     * As {@link #maxBytes}, with a bound that no user chose.
     *
     * @param bytes more than 0
     * @param size tells how many a request adds; negative counts as 0
     * @throws IllegalArgumentException when out of range
     */
    public Collapse<Q, R> defaultMaxBytes(long bytes, ToLongFunction<? super Q> size) {
        return with(settings.withMaxBytes(bytes, size, Origin.DEFAULT));
    }

    /**
     * How long a request waits for others at most, as a share of the time that calls take. Default: {@value #SHARE}. Where
     * that is too short for a timer, a request waits for nobody. Where calls wait for each other, a longer wait may pay,
     * and is allowed up to the time of a call.
     *
     * @param share 0 to 1; 0 never waits
     * @throws IllegalArgumentException when out of range
     */
    public Collapse<Q, R> budget(double share) {
        return with(settings.withShare(share));
    }

    /**
     * How long a request waits for others at most, whatever time calls take, and whatever would pay.
     *
     * @param time 0 or more; 0 never waits
     * @throws IllegalArgumentException when negative
     */
    public Collapse<Q, R> budget(Duration time) {
        return with(settings.withTime(time));
    }

    /**
     * Whether fewer calls or shorter times matter more. Default: {@link Prefer#AUTO}.
     *
     * @param what what batches are for
     */
    public Collapse<Q, R> prefer(Prefer what) {
        return with(settings.withPrefer(what));
    }

    /**
     * Sends requests of one batch that have the same key as one request; each caller gets the answer to it. For reads: two
     * equal payments are two payments. Default: equal requests stay two.
     *
     * @param key tells what a request asks for, with {@code equals} and {@code hashCode}; null keeps it by itself
     */
    public Collapse<Q, R> same(Function<? super Q, ? extends @Nullable Object> key) {
        return with(settings.withSame(key));
    }

    /**
     * Never lets two requests of the same key travel in one batch, where a target could not tell them apart. The later one
     * goes by another call, at once. Default: nothing is kept apart so, but by the key of {@link #intoKeyed}.
     *
     * @param key tells a request's key, with {@code equals} and {@code hashCode}; null keeps it apart from none
     */
    public Collapse<Q, R> unique(Function<? super Q, ? extends @Nullable Object> key) {
        return with(settings.withKey(key));
    }

    /**
     * Keeps apart what must not travel together: a batch for each key, such as a tenant, a shard or a credential. Batches of
     * keys that are not used any more are dropped. Default: one batch for all.
     *
     * @param key tells a request's key, with {@code equals} and {@code hashCode}
     */
    public Collapse<Q, R> per(Function<? super Q, ?> key) {
        return with(settings.withScope(key));
    }

    /**
     * Lets a batch end as a whole when the target refuses it as a whole, or undoes it. By default it is halved, and each
     * half sent anew, until the request that the target will not take is alone: 2 log2 n calls for one of n.
     */
    public Collapse<Q, R> whole() {
        return with(settings.withHalving(Halving.NONE));
    }

    /**
     * Declares that the batch function only reads, so that calling it again with the same requests changes nothing. Then a
     * batch is halved also when the function throws something that is no ending, or returns a list of the wrong length:
     * only the request at fault ends as {@link dev.penstock.Unknown}. Default: only where every request of a batch is {@link
     * dev.penstock.ReadOnly}. No effect with {@link #whole()}.
     */
    public Collapse<Q, R> readOnly() {
        return settings.halving() == Halving.NONE ? this : with(settings.withHalving(Halving.MISTAKEN));
    }

    /**
     * Carries a request that travels alone to another service than batches: a batch of one, and what is not {@linkplain
     * #only fit} for a batch. Default: a list of one request.
     *
     * @param single answers one request
     */
    public Collapse<Q, R> alone(Service<? super Q, ? extends R> single) {
        return with(settings.withSingle(single));
    }

    /**
     * Sends what is not fit for a batch alone, and at once. Default: all are fit.
     *
     * @param fit whether a request may travel with others
     */
    public Collapse<Q, R> only(Predicate<? super Q> fit) {
        return with(settings.withFit(fit));
    }

    private Collapse<Q, R> with(CollapseSettings<Q, R> changed) {
        return new Collapse<>(batch, changed);
    }

    Service<List<Q>, BatchEndings<R>> batch() {
        return batch;
    }

    CollapseSettings<Q, R> settings() {
        return settings;
    }
}
