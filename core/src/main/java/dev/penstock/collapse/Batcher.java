package dev.penstock.collapse;

import dev.penstock.BatchCounts.SendReason;
import dev.penstock.CallContext;
import dev.penstock.CollapseSettings;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects requests into batches and sends them. One batch is open at a time. Each batch has its own virtual thread from its
 * first request to its answer.
 *
 * <h2>Design note</h2>
 *
 * <p>A caller touches only the open batch; only batch threads take the lock around the window controller. When a batch is
 * full, a new one opens although the full one may still be waiting for its permit. So the controller's window may still
 * belong to the full batch when the next one opens; that window is closed first.
 *
 * <p>Safe for many threads.
 */
final class Batcher<Q, R> {
    private final Supplier<CollapseSettings<Q, R>> settings;
    private final BatchSender<Q, R> batchSender;
    private final CallTime callTime;
    private final BatchCounter counter;
    private final Ticker ticker;
    private final AtomicReference<@Nullable Batch<Q, R>> open = new AtomicReference<>();

    /** Guards {@link #window}, except for what it publishes, and {@link #inWindow}. */
    private final ReentrantLock lock = new ReentrantLock();

    private final WindowController window;

    /** The batch whose window is open; null between two windows. */
    private @Nullable Batch<Q, R> inWindow;

    private volatile boolean draining;
    private volatile long lastUsed;

    /**
     * Creates a batcher.
     *
     * @param batchSender sends batches to the target
     * @param callTime shared by all batchers of a target
     */
    Batcher(
            Supplier<CollapseSettings<Q, R>> settings,
            BatchSender<Q, R> batchSender,
            CallTime callTime,
            BatchCounter counter,
            Ticker ticker) {
        this.settings = settings;
        this.batchSender = batchSender;
        this.callTime = callTime;
        this.counter = counter;
        this.ticker = ticker;
        this.lastUsed = ticker.nanos();
        this.window = new WindowController(
                settings.get().budget().share(),
                callTime,
                () -> settings.get().budget().nanos());
    }

    CollapseSettings<Q, R> settings() {
        return settings.get();
    }

    /** The maximum number of requests of a batch that opens now. */
    int capacity() {
        return Math.min(settings.get().bounds().max(), window.maxSize());
    }

    /** Sends one request in a batch and waits for its ending. */
    Ending call(Q request, CallContext callContext) throws Rejected, Failed {
        boolean trial = admit(callContext);
        BatchItem<Q, R> item = BatchItem.of(request, Thread.currentThread(), callContext, trial, settings());
        @Nullable Batch<Q, R> batch = join(item);
        counter.requestArrived();
        boolean watched = batchSender.watch().covers(item.arrival(), item.left(item.arrival()));
        Ending ending = item.await(ticker, watched);
        if (batch != null && item.gaveUpUnsent()) {
            batch.freeSlot();
        }
        callContext.tick();
        return ending;
    }

    /** Sends one request in a batch of its own, on the caller's thread. */
    Ending callAlone(Q request, CallContext callContext) throws Rejected, Failed {
        BatchItem<Q, R> item = BatchItem.of(request, null, callContext, admit(callContext), settings());
        counter.requestArrived();
        counter.requestsDequeued(1);
        Batch<Q, R> batch = Batch.closed(List.of(item), this);
        batch.setSendReason(SendReason.ALONE);
        batchSender.send(batch);
        callContext.tick();
        return item.await(ticker, true);
    }

    /**
     * Rejects a request that cannot be answered before its deadline.
     *
     * @return whether the request is such a request, but sent nevertheless as a trial
     */
    private boolean admit(CallContext callContext) throws Rejected {
        long left = callContext.timeLeft();
        if (!callContext.hasDeadline() || !callTime.isHopeless(left)) {
            return false;
        }
        if (!callTime.isTrialDue(left, callContext.now())) {
            throw callTime.hopeless(left);
        }
        return true;
    }

    private @Nullable Batch<Q, R> join(BatchItem<Q, R> item) throws Failed {
        try {
            return joinOpenBatch(item);
        } catch (RuntimeException | Error broken) {
            // A key's equals or hashCode threw. The item may have joined the batch before that.
            Failed undone = CollapseSettings.broken(broken);
            if (item.endUnsent(undone)) {
                throw undone;
            }
            return null;
        }
    }

    private Batch<Q, R> joinOpenBatch(BatchItem<Q, R> item) {
        while (true) {
            Batch<Q, R> there = open.get();
            if (there != null && there.join(item)) {
                return there;
            }
            Batch<Q, R> mine = Batch.of(item, this);
            if (open.compareAndSet(there, mine)) {
                lastUsed = item.arrival();
                batchSender.start(mine, this::run);
                return mine;
            }
        }
    }

    private void run(Batch<Q, R> batch) {
        batch.setSendReason(waitForOthers(batch));
        batchSender.send(batch);
    }

    /** Waits until the batch should be sent. */
    private SendReason waitForOthers(Batch<Q, R> batch) {
        openWindow(batch);
        while (true) {
            if (draining) {
                return SendReason.DRAIN;
            }
            switch (decide(batch)) {
                case WindowDecision.Closed closed -> {
                    // Requests that join while the batch waits for its permit need not wake this thread.
                    batch.wakeAt(Thread.currentThread(), Integer.MAX_VALUE);
                    return closed.why();
                }
                case WindowDecision.Open until -> {
                    batch.wakeAt(Thread.currentThread(), until.atCount());
                    BatchItem<Q, R> newest = Objects.requireNonNull(batch.newest(), "only this thread seals it");
                    if (newest.count() < until.atCount() && !batch.isFull() && !draining) {
                        ticker.parkUntil(until.until());
                    }
                }
            }
        }
    }

    private void openWindow(Batch<Q, R> batch) {
        lock.lock();
        try {
            Batch<Q, R> before = inWindow;
            if (before != null) {
                closeWindow(before, ticker.nanos());
                // That batch is full, so it has nothing left to wait for.
                before.wake();
            }
            inWindow = batch;
            batch.wakeAt(Thread.currentThread(), Integer.MAX_VALUE);
            window.opened(batch.openedAt());
        } finally {
            lock.unlock();
        }
    }

    private WindowDecision decide(Batch<Q, R> batch) {
        lock.lock();
        try {
            BatchItem<Q, R> newest = batch.newest();
            if (inWindow != batch || newest == null) {
                return new WindowDecision.Closed(SendReason.FULL);
            }
            long now = ticker.nanos();
            return window.decide(now, newest.count(), newest.arrival(), batch.isFull(), newest.slack(now));
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. */
    private void closeWindow(Batch<Q, R> batch, long now) {
        if (inWindow == batch) {
            inWindow = null;
            BatchItem<Q, R> newest = batch.newest();
            batch.setCall(
                    newest == null
                            ? window.closed(now, batch.joined(), batch.lastArrival())
                            : window.closed(now, newest.count(), newest.arrival()));
        }
    }

    /** Seals a batch that is about to be sent: no more requests can join it. */
    SealedBatch<Q, R> seal(Batch<Q, R> batch, long now) {
        boolean first = !batch.isSealed();
        SealedBatch<Q, R> sealed = batch.seal(now, callTime);
        open.compareAndSet(batch, null);
        leaveWindow(batch, now, sealed.size() > 0);
        if (first) {
            counter.requestsDequeued(batch.joined());
        }
        if (sealed.size() > 0) {
            counter.batchSent(batch.sendReason(), sealed.size(), now);
        }
        if (!sealed.later().isEmpty()) {
            batchSender.sendApart(Batch.closed(sealed.later(), this), batch.sendReason());
        }
        return sealed;
    }

    /**
     * Records that the call of a batch has returned, before its callers get their endings.
     *
     * @param answered whether the target answered it
     */
    void returned(Batch<Q, R> batch, long now, boolean answered) {
        counter.batchReturned();
        BatchMerging.Call call = batch.call();
        if (call == null) {
            return;
        }
        boolean wake;
        Batch<Q, R> waiting;
        lock.lock();
        try {
            waiting = inWindow;
            BatchItem<Q, R> newest = waiting == null ? null : waiting.newest();
            if (newest == null) {
                window.returned(now, call, answered, 0, 0);
            } else {
                window.returned(now, call, answered, newest.count(), newest.arrival());
            }
            wake = window.dependsOnReturns();
        } finally {
            lock.unlock();
        }
        if (waiting != null && wake) {
            waiting.wake();
        }
    }

    /** Records that a batch is not sent. */
    void withdraw(Batch<Q, R> batch) {
        open.compareAndSet(batch, null);
        counter.requestsDequeued(batch.joined());
        leaveWindow(batch, ticker.nanos(), false);
    }

    private void leaveWindow(Batch<Q, R> batch, long now, boolean sent) {
        lock.lock();
        try {
            closeWindow(batch, now);
            BatchMerging.Call call = batch.call();
            if (call != null && sent) {
                call.sent(now);
            } else if (call != null) {
                window.notSent(call);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sends the open batch now; later batches do not wait. */
    void drain() {
        draining = true;
        Batch<Q, R> waiting = open.get();
        if (waiting != null) {
            waiting.wake();
        }
    }

    /** Whether there is no open batch and no call, and no batch was opened for the given time. */
    boolean isIdle(long now, long forNanos) {
        if (open.get() != null || now - lastUsed < forNanos) {
            return false;
        }
        lock.lock();
        try {
            return window.out() == 0;
        } finally {
            lock.unlock();
        }
    }

    /** The current maximum wait of a request, in nanoseconds. */
    long budget() {
        return window.budget();
    }

    /** The reason for the current budget, and what batches wait for, in one sentence. */
    String reason() {
        lock.lock();
        try {
            return window.reason();
        } finally {
            lock.unlock();
        }
    }

    /** The learned cost of larger batches, in one sentence. */
    String cost() {
        return window.cost();
    }
}
