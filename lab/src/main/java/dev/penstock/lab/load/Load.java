package dev.penstock.lab.load;

import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.lab.measure.ChildProbe;
import dev.penstock.lab.measure.LoadRecorder;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Progress;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The common part of all loads: duration, warm-up, and the grace period at the end. Configure it, then {@link #run}.
 * The same load may run many times, one at a time. Not thread-safe.
 *
 * @param <L> the kind of load
 */
public abstract sealed class Load<L extends Load<L>> permits OpenLoad, ClosedLoad {
    Duration lasting = Duration.ZERO;
    long count = Long.MAX_VALUE;
    Duration warmUp = Duration.ZERO;
    Duration grace = Duration.ofSeconds(30);
    Ticker ticker = Ticker.SYSTEM;
    Duration watchEvery = Duration.ofSeconds(1);
    EndListener listener = EndListener.NOBODY;
    boolean stoppable;
    final Map<Long, String> processes = new LinkedHashMap<>();

    @Nullable
    Consumer<? super Progress> watcher;

    @Nullable
    TransactionMix mix;

    Load() {}

    abstract L self();

    abstract void drive(LoadRun<?, ?> run);

    /** Whether the load is constant after the warm-up. */
    abstract boolean steady();

    /** How long the load starts transactions; without it, {@link #count} limits the load. */
    public L lasting(Duration time) {
        lasting = Ranges.positive("the duration of a load", time);
        return self();
    }

    /** The maximum number of transactions; default unlimited, then {@link #lasting} limits the load. */
    public L count(long most) {
        count = Ranges.within("the transactions of a load", most, 1, Long.MAX_VALUE);
        return self();
    }

    /** Transactions due in this initial time do not count; default none. Part of {@link #lasting}. */
    public L warmUp(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("a warm-up must not be negative");
        }
        warmUp = time;
        return self();
    }

    /**
     * How long to wait for transactions in flight after the last start; those without an ending then are lost. Default
     * 30 s.
     */
    public L grace(Duration time) {
        grace = Ranges.positive("the grace", time);
        return self();
    }

    /**
     * Lets an interrupt of the thread that called {@link #run} end the load early, with what was measured until then as its
     * result, which is invalid and says so. Transactions in flight then have up to 3 s to end. Default: an interrupt is an
     * {@link InterruptedException}.
     */
    public L stoppable() {
        stoppable = true;
        return self();
    }

    /** The clock; default {@link Ticker#SYSTEM}. */
    public L ticker(Ticker value) {
        ticker = Objects.requireNonNull(value, "ticker");
        return self();
    }

    /** Reports progress periodically, on the thread that called {@link #run}; default none. */
    public L watch(Duration every, Consumer<? super Progress> who) {
        watchEvery = Ranges.positive("the progress interval", every);
        watcher = who;
        return self();
    }

    /** Sets a listener for the end of each transaction; default none. */
    public L listen(EndListener who) {
        listener = Objects.requireNonNull(who, "listener");
        return self();
    }

    /** Also measures the transactions of each label separately; default none. */
    public L labelled(TransactionMix by) {
        mix = by;
        return self();
    }

    /**
     * Also measures the resources of another process, for instance the gateway under load. May be called repeatedly.
     * Child processes of it are not included.
     *
     * @param name a readable name
     * @param pid process id
     * @throws IllegalArgumentException when there is no such process
     */
    public L watchProcess(String name, long pid) {
        ChildProbe.start(name, pid);
        processes.put(pid, name);
        return self();
    }

    /**
     * Runs the load; every answer counts as right.
     *
     * @see #run(Service, LongFunction, Predicate)
     */
    public <Q, R> LoadResult run(Service<Q, R> service, LongFunction<? extends Q> requests)
            throws InterruptedException {
        return run(service, requests, answer -> true);
    }

    /**
     * Runs the load and waits for its end.
     *
     * @param service the service under load; called concurrently on virtual threads
     * @param requests makes the request of a number, from 0; called concurrently
     * @param right whether an answer is correct; a wrong answer counts as an error
     * @return the measurements
     * @throws InterruptedException when the calling thread is interrupted, unless the load is {@link #stoppable};
     *     the load ends
     * @throws IllegalArgumentException without a duration or count, when the warm-up leaves no time to measure, or when
     *     a watched process is gone
     * @throws IllegalStateException when {@code requests} or {@code right} threw; the load ends
     */
    public <Q, R> LoadResult run(Service<Q, R> service, LongFunction<? extends Q> requests, Predicate<? super R> right)
            throws InterruptedException {
        return runJudged(service, requests, AnswerJudge.of(right));
    }

    /**
     * As {@link #run(Service, LongFunction, Predicate)}, for answers that report outcomes themselves.
     *
     * @param judge derives the outcome from the answer; called concurrently
     */
    public <Q, R> LoadResult runJudged(
            Service<Q, R> service, LongFunction<? extends Q> requests, AnswerJudge<? super R> judge)
            throws InterruptedException {
        checkBounds();
        return new LoadRun<Q, R>(this, service, null, requests, judge).result();
    }

    void checkBounds() {
        if (lasting.isZero() && count == Long.MAX_VALUE) {
            throw new IllegalArgumentException("a load needs a duration or a number of transactions");
        }
        if (!lasting.isZero() && warmUp.compareTo(lasting) >= 0) {
            throw new IllegalArgumentException("a warm-up of " + Durations.format(warmUp)
                    + " leaves nothing to measure of a load of " + Durations.format(lasting) + ": shorten it");
        }
    }

    long lastingNanos() {
        return lasting.isZero() ? Long.MAX_VALUE : Durations.nanos(lasting);
    }

    long windowNanos() {
        return lasting.isZero() ? LoadRecorder.OPEN_END : lastingNanos() - Durations.nanos(warmUp);
    }

    String bounds() {
        String time = lasting.isZero() ? "" : " for " + Durations.format(lasting);
        String most = count == Long.MAX_VALUE ? "" : ", at most " + count + " transactions";
        String warmUpText = warmUp.isZero() ? "" : ", warm-up " + Durations.format(warmUp);
        return time + most + warmUpText + (mix == null ? "" : ", " + mix);
    }
}
