package dev.penstock.lab.load;

import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.lab.measure.LoadRecorder;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Outcome;
import dev.penstock.lab.measure.Validity;
import dev.penstock.text.Durations;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One run of a load: threads, waiting and wiring. The decisions are in other classes. */
final class LoadRun<Q, R> {
    /** How long a load that is stopped early waits for transactions in flight, in nanoseconds. */
    private static final long STOP_GRACE = 3_000_000_000L;

    private final Load<?> load;
    private final Service<Q, R> service;
    private final @Nullable Intake<Q, R> intake;
    private final LongFunction<? extends Q> requests;
    private final AnswerJudge<? super R> judge;
    private final @Nullable TransactionMix mix;
    private final Ticker ticker;
    private final LoadRecorder recorder;
    private final Thread waiter = Thread.currentThread();
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("penstock-load").factory());
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger inFlightMax = new AtomicInteger();
    private final AtomicReference<@Nullable RuntimeException> broken = new AtomicReference<>();
    private long startAt; // set before this is visible to other threads
    private volatile boolean stopped;
    private volatile boolean allStarted;
    private long stoppedAt = Long.MAX_VALUE;

    /**
     * With an intake, {@link #start} hands transactions to it; otherwise each call to the service has its own thread.
     */
    LoadRun(
            Load<?> load,
            Service<Q, R> service,
            @Nullable Intake<Q, R> intake,
            LongFunction<? extends Q> requests,
            AnswerJudge<? super R> judge) {
        this.load = load;
        this.service = service;
        this.intake = intake;
        this.requests = requests;
        this.judge = judge;
        this.mix = load.mix;
        this.ticker = load.ticker;
        this.recorder = new LoadRecorder(0, load.windowNanos(), mix == null ? List.of() : mix.labels());
    }

    long startAt() {
        return startAt;
    }

    /** Whether no more transactions may start. */
    boolean stopped() {
        return stopped;
    }

    /** Called by the load when it will start no more transactions. */
    void noMoreStarts() {
        allStarted = true;
        LockSupport.unpark(waiter);
    }

    /** Runs a task on a virtual thread of this run. */
    void execute(Runnable work) {
        threads.execute(work);
    }

    /** Whether {@link #start} may be called before the intended time. */
    boolean handsOver() {
        return intake == null;
    }

    /** Starts a transaction at the intended time, without waiting for it, or sheds it. For the pacing thread. */
    void start(long number, long intended, int maxInFlight) {
        if (inFlight.get() >= maxInFlight) {
            recorder.shed(intended, label(number));
            return;
        }
        begin(number, intended);
        if (intake == null) {
            threads.execute(() -> {
                while (now() - intended < 0) {
                    Thread.onSpinWait();
                }
                perform(number, intended, () -> 0);
            });
        } else {
            submit(intake, number, intended);
        }
    }

    /**
     * Runs a transaction on the calling thread.
     *
     * @param afterRejection nanoseconds that the caller pauses after a rejection
     * @return the time from which the caller goes on
     */
    long transaction(long number, long intended, LongSupplier afterRejection) {
        begin(number, intended);
        return perform(number, intended, afterRejection);
    }

    private void submit(Intake<Q, R> to, long number, long intended) {
        Q request = newRequest(number);
        if (request == null) {
            notInFlight();
        } else {
            long start = now();
            recorder.lagged(start - intended);
            new Offer<>(this, number, intended, start).submit(to, request);
        }
    }

    private void begin(long number, long intended) {
        recorder.started(intended, label(number));
        int now = inFlight.incrementAndGet();
        if (now > inFlightMax.get()) {
            inFlightMax.accumulateAndGet(now, Math::max);
        }
    }

    private long perform(long number, long intended, LongSupplier afterRejection) {
        try {
            Q request = newRequest(number);
            return request == null ? now() : call(request, number, intended, afterRejection);
        } finally {
            notInFlight();
        }
    }

    /** Removes a transaction from those in flight. */
    void notInFlight() {
        if (inFlight.decrementAndGet() == 0 && allStarted) {
            LockSupport.unpark(waiter);
        }
    }

    private @Nullable Q newRequest(long number) {
        try {
            return requests.apply(number);
        } catch (RuntimeException e) {
            abort("making the request", number, e);
            return null;
        }
    }

    private long call(Q request, long number, long intended, LongSupplier afterRejection) {
        long start = now();
        recorder.lagged(start - intended);
        Outcome outcome;
        long end;
        try {
            R answer = service.call(request);
            end = now();
            outcome = judge(answer, number, intended);
        } catch (Throwable e) {
            end = now();
            outcome = Outcome.of(e);
        }
        ended(outcome, number, intended, start, end);
        return outcome.isRejected() ? end + afterRejection.getAsLong() : end;
    }

    /** Records the end of a transaction; the caller also calls {@link #notInFlight}. */
    void ended(Outcome outcome, long number, long intended, long start, long end) {
        recorder.ended(outcome, label(number), intended, start, end);
        load.listener.ended(outcome, intended, start, end);
    }

    long now() {
        return ticker.nanos();
    }

    private int label(long number) {
        return mix == null ? 0 : mix.labelOf(number);
    }

    Outcome judge(R answer, long number, long intended) {
        try {
            return judge.judge(answer, label(number), recorder.isMeasured(intended));
        } catch (RuntimeException e) {
            abort("checking the answer", number, e);
            return Outcome.WRONG;
        }
    }

    private void abort(String what, long number, RuntimeException e) {
        broken.compareAndSet(null, new IllegalStateException(what + " failed at transaction " + number + ": " + e, e));
        stopped = true;
        LockSupport.unpark(waiter);
    }

    /** Drives the load and waits for its end on the calling thread. */
    LoadResult result() throws InterruptedException {
        try (LoadWatch watch = new LoadWatch(load, recorder)) {
            startAt = ticker.nanos();
            recorder.beginAt(startAt + Durations.nanos(load.warmUp));
            load.listener.begins(startAt + Durations.nanos(load.warmUp));
            watch.begin(startAt);
            load.drive(this);
            if (!load.warmUp.isZero()) {
                await(startAt + Durations.nanos(load.warmUp), watch);
                watch.measureFromNow();
            }
            await(Long.MAX_VALUE, watch);
            LoadResult result =
                    watch.result(ticker.nanos(), inFlight.get(), inFlightMax.get(), stoppedAt == Long.MAX_VALUE);
            if (stoppedAt != Long.MAX_VALUE && result.counts().offered() == 0) {
                throw new InterruptedException("the load was interrupted before its measured time");
            }
            return stoppedAt == Long.MAX_VALUE ? result : result.withValidity(partly(result.validity()));
        } finally {
            stopped = true;
            threads.shutdownNow();
        }
    }

    /** Waits until a time or the end of the load, whichever is first, and samples meanwhile. */
    private void await(long until, LoadWatch watch) throws InterruptedException {
        long graceOver = Long.MAX_VALUE;
        while (!isOver()) {
            long now = ticker.nanos();
            if (Thread.interrupted()) {
                stop(now);
            }
            throwIfBroken();
            watch.sample(now, inFlight.get());
            if (until != Long.MAX_VALUE && now - until >= 0) {
                return;
            }
            if (graceOver == Long.MAX_VALUE && startsNoMore(now)) {
                recorder.startsUntil(now);
                graceOver = now + Math.min(Durations.nanos(load.grace), stopped ? STOP_GRACE : Long.MAX_VALUE);
            }
            if (graceOver != Long.MAX_VALUE && now - graceOver >= 0) {
                return;
            }
            // Sampling may wait for locks and thereby consume the unpark that signalled the end.
            if (!isOver()) {
                ticker.parkUntil(earliest(now, watch.nextAt(), until, graceOver, startAt + load.lastingNanos()));
            }
        }
        throwIfBroken();
    }

    private void stop(long now) throws InterruptedException {
        if (!load.stoppable || stopped) {
            throw new InterruptedException("the load was interrupted");
        }
        stopped = true;
        stoppedAt = now;
        recorder.stopAt(now);
    }

    private Validity partly(Validity validity) {
        String planned = load.lasting.isZero() ? "" : " of " + Durations.format(load.lasting);
        return new Validity("it was stopped after " + Durations.format(stoppedAt - startAt) + planned
                + ", so the figures are those of a shorter load"
                + (validity.valid() ? "" : "; " + validity.whyInvalid()));
    }

    private boolean isOver() {
        return allStarted && inFlight.get() == 0;
    }

    private void throwIfBroken() {
        RuntimeException failure = broken.get();
        if (failure != null) {
            throw failure;
        }
    }

    private boolean startsNoMore(long now) {
        return allStarted || stopped || now - startAt >= load.lastingNanos();
    }

    /** The earliest of the given times that are in the future; {@link Long#MAX_VALUE} means never. */
    private static long earliest(long now, long first, long... others) {
        long earliest = first;
        for (long other : others) {
            if (other != Long.MAX_VALUE && other - now > 0 && other - earliest < 0) {
                earliest = other;
            }
        }
        return earliest;
    }
}
