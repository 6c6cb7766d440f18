package dev.penstock.lab.load;

import dev.penstock.Durations;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.lab.measure.LoadRecorder;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Outcome;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One run of a load: the threads, the waiting, and what holds it all together. Decisions are made elsewhere. */
final class LoadRun<Q, R> {
    private final Load<?> load;
    private final Service<Q, R> service;
    private final @Nullable Intake<Q, R> intake;
    private final LongFunction<? extends Q> requests;
    private final AnswerJudge<? super R> judge;
    private final Ticker ticker;
    private final LoadRecorder recorder;
    private final Thread waiter = Thread.currentThread();
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("penstock-load").factory());
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger inFlightMax = new AtomicInteger();
    private final AtomicReference<@Nullable RuntimeException> broken = new AtomicReference<>();
    private long startAt; // set before any other thread knows this
    private volatile boolean stopped;
    private volatile boolean allStarted;

    /** Given an intake, what {@link #start} starts is handed to it; otherwise the service is called on a thread for each. */
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
        this.ticker = load.ticker;
        this.recorder = new LoadRecorder(0, load.windowNanos());
    }

    long startAt() {
        return startAt;
    }

    /** Whether it is to start nothing more. */
    boolean stopped() {
        return stopped;
    }

    /** Told by the load when it will start nothing more. */
    void noMoreStarts() {
        allStarted = true;
        LockSupport.unpark(waiter);
    }

    /** Runs something on a virtual thread of this run. */
    void execute(Runnable work) {
        threads.execute(work);
    }

    /** Starts a transaction without waiting for it, or sheds it. For the one thread that paces. */
    void start(long number, long intended, int maxInFlight) {
        if (inFlight.get() >= maxInFlight) {
            recorder.shed(intended);
            return;
        }
        begin(intended);
        if (intake == null) {
            threads.execute(() -> carry(number, intended, () -> 0));
        } else {
            handTo(intake, number, intended);
        }
    }

    /**
     * Carries a transaction on the calling thread.
     *
     * @param afterRejection asked, when it was rejected, how long its caller then pauses, in nanoseconds
     * @return the reading of the clock from which on its caller goes on
     */
    long transaction(long number, long intended, LongSupplier afterRejection) {
        begin(intended);
        return carry(number, intended, afterRejection);
    }

    private void handTo(Intake<Q, R> to, long number, long intended) {
        Q request = made(number);
        if (request == null) {
            gone();
        } else {
            long start = now();
            recorder.lagged(start - intended);
            new Offer<>(this, number, intended, start).handTo(to, request);
        }
    }

    private void begin(long intended) {
        recorder.started(intended);
        int now = inFlight.incrementAndGet();
        if (now > inFlightMax.get()) {
            inFlightMax.accumulateAndGet(now, Math::max);
        }
    }

    private long carry(long number, long intended, LongSupplier afterRejection) {
        try {
            Q request = made(number);
            return request == null ? now() : called(request, number, intended, afterRejection);
        } finally {
            gone();
        }
    }

    /** A transaction is no longer in flight. */
    void gone() {
        if (inFlight.decrementAndGet() == 0 && allStarted) {
            LockSupport.unpark(waiter);
        }
    }

    private @Nullable Q made(long number) {
        try {
            return requests.apply(number);
        } catch (RuntimeException e) {
            breakOff("the request maker", number, e);
            return null;
        }
    }

    private long called(Q request, long number, long intended, LongSupplier afterRejection) {
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
        ended(outcome, intended, start, end);
        return outcome.isRejected() ? end + afterRejection.getAsLong() : end;
    }

    /** A transaction has ended; the caller also says when it is {@link #gone}. */
    void ended(Outcome outcome, long intended, long start, long end) {
        recorder.ended(outcome, intended, start, end);
        load.listener.ended(outcome, intended, start, end);
    }

    long now() {
        return ticker.nanos();
    }

    Outcome judge(R answer, long number, long intended) {
        try {
            return judge.judge(answer, recorder.isMeasured(intended));
        } catch (RuntimeException e) {
            breakOff("the check of the answer", number, e);
            return Outcome.WRONG;
        }
    }

    private void breakOff(String what, long number, RuntimeException e) {
        broken.compareAndSet(null, new IllegalStateException(what + " failed at transaction " + number + ": " + e, e));
        stopped = true;
        LockSupport.unpark(waiter);
    }

    /** Drives the load, and waits on the calling thread until it is over. */
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
            return watch.result(ticker.nanos(), inFlight.get(), inFlightMax.get());
        } finally {
            stopped = true;
            threads.shutdownNow();
        }
    }

    /** Waits until a time or the end of the load, whichever comes first, and looks at it meanwhile. */
    private void await(long until, LoadWatch watch) throws InterruptedException {
        long graceOver = Long.MAX_VALUE;
        while (!isOver()) {
            long now = ticker.nanos();
            if (Thread.interrupted()) {
                throw new InterruptedException("the load was interrupted");
            }
            throwIfBroken();
            watch.look(now, inFlight.get());
            if (until != Long.MAX_VALUE && now - until >= 0) {
                return;
            }
            graceOver =
                    graceOver == Long.MAX_VALUE && startsNoMore(now) ? now + Durations.nanos(load.grace) : graceOver;
            if (graceOver != Long.MAX_VALUE && now - graceOver >= 0) {
                return;
            }
            // Looking may wait for locks, and so take the wake-up that told of the end.
            if (!isOver()) {
                ticker.parkUntil(earliest(now, watch.nextAt(), until, graceOver, startAt + load.lastingNanos()));
            }
        }
        throwIfBroken();
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
        return allStarted || now - startAt >= load.lastingNanos();
    }

    /** The earliest of some readings of the clock that are not over yet; {@link Long#MAX_VALUE} is never. */
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
