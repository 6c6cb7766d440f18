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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One run of a load: the threads, the waiting, and what holds it all together. Decisions are made elsewhere. */
final class LoadRun<Q, R> {
    private final Load<?> load;
    private final Service<Q, R> service;
    private final LongFunction<? extends Q> requests;
    private final Predicate<? super R> right;
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

    LoadRun(Load<?> load, Service<Q, R> service, LongFunction<? extends Q> requests, Predicate<? super R> right) {
        this.load = load;
        this.service = service;
        this.requests = requests;
        this.right = right;
        this.ticker = load.ticker;
        boolean openEnd = load.lastingNanos() == Long.MAX_VALUE;
        long length = openEnd ? LoadRecorder.OPEN_END : load.lastingNanos() - Durations.nanos(load.warmUp);
        this.recorder = new LoadRecorder(0, length);
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

    /** Starts a transaction on a thread of its own, or sheds it. For the one thread that paces. */
    void start(long number, long intended, int maxInFlight) {
        if (inFlight.get() >= maxInFlight) {
            recorder.shed(intended);
            return;
        }
        begin(intended);
        threads.execute(() -> carry(number, intended));
    }

    /** Carries a transaction on the calling thread, and returns when it ended. */
    long transaction(long number, long intended) {
        begin(intended);
        return carry(number, intended);
    }

    private void begin(long intended) {
        recorder.started(intended);
        int now = inFlight.incrementAndGet();
        if (now > inFlightMax.get()) {
            inFlightMax.accumulateAndGet(now, Math::max);
        }
    }

    private long carry(long number, long intended) {
        try {
            Q request = made(number);
            return request == null ? ticker.nanos() : called(request, number, intended);
        } finally {
            if (inFlight.decrementAndGet() == 0 && allStarted) {
                LockSupport.unpark(waiter);
            }
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

    private long called(Q request, long number, long intended) {
        long start = ticker.nanos();
        recorder.lagged(start - intended);
        Outcome outcome;
        long end;
        try {
            R answer = service.call(request);
            end = ticker.nanos();
            outcome = judge(answer, number);
        } catch (Throwable e) {
            end = ticker.nanos();
            outcome = Outcome.of(e);
        }
        recorder.ended(outcome, intended, start, end);
        return end;
    }

    private Outcome judge(R answer, long number) {
        try {
            return right.test(answer) ? Outcome.RIGHT : Outcome.WRONG;
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
