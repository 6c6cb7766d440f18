package dev.penstock.lab.load;

import dev.penstock.Durations;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.lab.measure.ChildProbe;
import dev.penstock.lab.measure.LoadRecorder;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Progress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What every load has: when it stops starting transactions, what it leaves out, and how long it waits in the end. Describe
 * it, then {@link #run}; the same load may run many times, one at a time. Not safe for many threads.
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
    final Map<Long, String> processes = new LinkedHashMap<>();

    @Nullable
    Consumer<? super Progress> watcher;

    Load() {}

    abstract L self();

    abstract void drive(LoadRun<?, ?> run);

    /** Whether the load itself stays as it is once the warm-up is over. */
    abstract boolean steady();

    /** For how long it starts transactions, from its start on; without it, {@link #count} bounds the load. */
    public L lasting(Duration time) {
        lasting = positive("time a load lasts", time);
        return self();
    }

    /** How many transactions it starts at most; default no bound, then {@link #lasting} bounds the load. */
    public L count(long most) {
        if (most < 1) {
            throw new IllegalArgumentException("a load starts at least 1 transaction, not " + most);
        }
        count = most;
        return self();
    }

    /** Transactions due in this first time are not counted; default none. Part of {@link #lasting}. */
    public L warmUp(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("a warm-up is not negative");
        }
        warmUp = time;
        return self();
    }

    /** How long it waits for transactions in flight once it starts no more; what has no ending then is lost. Default 30 s. */
    public L grace(Duration time) {
        grace = positive("grace", time);
        return self();
    }

    /** Its clock; default {@link Ticker#SYSTEM}. */
    public L ticker(Ticker value) {
        ticker = Objects.requireNonNull(value, "ticker");
        return self();
    }

    /** Tells someone every so often how far it has come, on the thread that called {@link #run}; default nobody. */
    public L watch(Duration every, Consumer<? super Progress> who) {
        watchEvery = positive("time between looks", every);
        watcher = who;
        return self();
    }

    /** Tells someone how each transaction ended; default nobody. */
    public L listen(EndListener who) {
        listener = Objects.requireNonNull(who, "listener");
        return self();
    }

    /**
     * Also measures what another process uses, for instance the gateway that is loaded. May be called again for more; its
     * own children are not in the figures.
     *
     * @param name what it is, for people
     * @param pid its id
     * @throws IllegalArgumentException when there is no such process
     */
    public L watchProcess(String name, long pid) {
        ChildProbe.start(name, pid);
        processes.put(pid, name);
        return self();
    }

    /**
     * Runs it, taking every answer as right.
     *
     * @see #run(Service, LongFunction, Predicate)
     */
    public <Q, R> LoadResult run(Service<Q, R> service, LongFunction<? extends Q> requests)
            throws InterruptedException {
        return run(service, requests, answer -> true);
    }

    /**
     * Runs it, and waits until it is over.
     *
     * @param service what is loaded; called on virtual threads, many at once
     * @param requests makes the request with a number, from 0 on; called on many threads at once
     * @param right whether an answer is the one it had to be; a wrong one counts as an error
     * @return what was measured
     * @throws InterruptedException when the calling thread was interrupted; the load is over then too
     * @throws IllegalArgumentException when neither a time nor a count bounds it, or the warm-up leaves nothing to measure,
     *     or a process that is to be watched is gone
     * @throws IllegalStateException when {@code requests} or {@code right} threw: the load is stopped
     */
    public <Q, R> LoadResult run(Service<Q, R> service, LongFunction<? extends Q> requests, Predicate<? super R> right)
            throws InterruptedException {
        return runJudged(service, requests, AnswerJudge.of(right));
    }

    /**
     * As {@link #run(Service, LongFunction, Predicate)}, where an answer may report an ending of its own.
     *
     * @param judge how a transaction ended, from its answer; called on many threads at once
     */
    public <Q, R> LoadResult runJudged(
            Service<Q, R> service, LongFunction<? extends Q> requests, AnswerJudge<? super R> judge)
            throws InterruptedException {
        checkBounds();
        return new LoadRun<Q, R>(this, service, null, requests, judge).result();
    }

    void checkBounds() {
        if (lasting.isZero() && count == Long.MAX_VALUE) {
            throw new IllegalArgumentException("a load needs a bound: say how long it lasts, or how many transactions");
        }
        if (!lasting.isZero() && warmUp.compareTo(lasting) >= 0) {
            throw new IllegalArgumentException("a warm-up of " + Durations.words(warmUp)
                    + " leaves nothing of a load of " + Durations.words(lasting) + ": make it shorter");
        }
    }

    long lastingNanos() {
        return lasting.isZero() ? Long.MAX_VALUE : Durations.nanos(lasting);
    }

    long windowNanos() {
        return lasting.isZero() ? LoadRecorder.OPEN_END : lastingNanos() - Durations.nanos(warmUp);
    }

    String bounds() {
        String time = lasting.isZero() ? "" : " for " + Durations.words(lasting);
        String most = count == Long.MAX_VALUE ? "" : ", at most " + count + " transactions";
        String without = warmUp.isZero() ? "" : ", the first " + Durations.words(warmUp) + " not counted";
        return time + most + without;
    }

    static Duration positive(String what, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("the " + what + " is above 0, not " + Durations.words(time));
        }
        return time;
    }
}
