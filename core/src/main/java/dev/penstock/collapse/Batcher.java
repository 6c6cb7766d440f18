package dev.penstock.collapse;

import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts requests into batches, and carries these: one open batch at a time, each on a thread of its own from its first
 * request to its answer.
 *
 * <h2>Design note</h2>
 *
 * <p>A request touches nothing but the open batch; the lock around the controller is for the threads of batches only. A
 * batch that is full makes room for a new one even while it waits for its permit, so its window may still be the
 * controller's when the next one opens: then it is closed first.
 *
 * <p>Safe for many threads.
 */
final class Batcher<Q, R> {
    private final Supplier<CollapseSettings<Q, R>> settings;
    private final BatchSender<Q, R> batchSender;
    private final CallTime callTime;
    private final BatchCounter tally;
    private final Ticker ticker;
    private final AtomicReference<@Nullable Batch<Q, R>> open = new AtomicReference<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final WindowController window;
    private @Nullable Batch<Q, R> inWindow;
    private volatile boolean draining;
    private volatile long lastUsed;

    /**
     * A batcher without batches.
     *
     * @param batchSender takes batches to the target
     * @param callTime shared by all batchers of a target
     */
    Batcher(
            Supplier<CollapseSettings<Q, R>> settings,
            BatchSender<Q, R> batchSender,
            CallTime callTime,
            BatchCounter tally,
            Ticker ticker) {
        this.settings = settings;
        this.batchSender = batchSender;
        this.callTime = callTime;
        this.tally = tally;
        this.ticker = ticker;
        this.lastUsed = ticker.nanos();
        this.window = new WindowController(
                settings.get().prefer(),
                settings.get().share(),
                callTime,
                () -> settings.get().timeNanos());
    }

    CollapseSettings<Q, R> settings() {
        return settings.get();
    }

    /** With how many requests a batch is full that opens now. */
    int most() {
        return Math.min(settings.get().max(), window.most());
    }

    /** Carries one request with others, and waits for its ending. */
    Ending call(Q request, CallContext callContext) throws Rejected, Failed {
        boolean trial = mayCome(callContext);
        BatchItem<Q, R> item = BatchItem.of(request, Thread.currentThread(), callContext, trial, settings());
        @Nullable Batch<Q, R> batch = board(item);
        tally.came();
        Ending ending = item.await(ticker);
        if (batch != null && item.hasLeft()) {
            batch.leaves();
        }
        callContext.tick();
        return ending;
    }

    /** Carries one request by itself, on the caller's thread. */
    Ending callAlone(Q request, CallContext callContext) throws Rejected, Failed {
        BatchItem<Q, R> item = BatchItem.of(request, null, callContext, mayCome(callContext), settings());
        tally.came();
        tally.went(1);
        Batch<Q, R> batch = Batch.closed(List.of(item), this);
        batch.leftBy(SendReason.ALONE);
        batchSender.send(batch);
        callContext.tick();
        return item.await(ticker);
    }

    /** Rejects what nobody could answer in time; tells whether it is sent all the same, as a trial. */
    private boolean mayCome(CallContext callContext) throws Rejected {
        long left = callContext.timeLeft();
        if (!callContext.hasDeadline() || !callTime.isHopeless(left)) {
            return false;
        }
        if (!callTime.isTrialDue(left, callContext.now())) {
            throw callTime.hopeless(left);
        }
        return true;
    }

    private @Nullable Batch<Q, R> board(BatchItem<Q, R> item) throws Failed {
        try {
            return boarded(item);
        } catch (RuntimeException | Error broken) {
            // equals or hashCode of a key. It may have joined before that.
            Failed undone = CollapseSettings.broken(broken);
            if (item.endUnsent(undone)) {
                throw undone;
            }
            return null;
        }
    }

    private Batch<Q, R> boarded(BatchItem<Q, R> item) {
        while (true) {
            Batch<Q, R> there = open.get();
            if (there != null && there.join(item)) {
                return there;
            }
            Batch<Q, R> mine = Batch.of(item, this);
            if (open.compareAndSet(there, mine)) {
                lastUsed = item.arrival();
                batchSender.start(mine, this::carry);
                return mine;
            }
        }
    }

    private void carry(Batch<Q, R> batch) {
        batch.leftBy(waitForOthers(batch));
        batchSender.send(batch);
    }

    /** Waits until it is to leave; tells why. */
    private SendReason waitForOthers(Batch<Q, R> batch) {
        openWindow(batch);
        while (true) {
            if (draining) {
                return SendReason.DRAIN;
            }
            switch (decide(batch)) {
                case WindowDecision.Closed closed -> {
                    // Whoever joins while it waits for its permit need wake nobody.
                    batch.wakes(Thread.currentThread(), Integer.MAX_VALUE);
                    return closed.why();
                }
                case WindowDecision.Open until -> {
                    batch.wakes(Thread.currentThread(), until.atCount());
                    BatchItem<Q, R> newest = Objects.requireNonNull(batch.newest(), "sealed by nobody else");
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
                // It has no room for the next one, so it waits for nothing.
                before.wake();
            }
            inWindow = batch;
            batch.wakes(Thread.currentThread(), Integer.MAX_VALUE);
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

    private void closeWindow(Batch<Q, R> batch, long now) {
        if (inWindow == batch) {
            inWindow = null;
            BatchItem<Q, R> newest = batch.newest();
            batch.became(
                    newest == null
                            ? window.left(now, batch.joined(), batch.lastArrival())
                            : window.left(now, newest.count(), newest.arrival()));
        }
    }

    /** The batch goes to the target: nobody can join it any more. */
    SealedBatch<Q, R> seal(Batch<Q, R> batch, long now) {
        boolean first = !batch.isSealed();
        SealedBatch<Q, R> sealed = batch.seal(now, callTime);
        open.compareAndSet(batch, null);
        lock.lock();
        try {
            closeWindow(batch, now);
            BatchMerging.Call call = batch.call();
            if (call != null && sealed.size() > 0) {
                call.sent(now);
            } else if (call != null) {
                window.notSent(call);
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            tally.went(batch.joined());
        }
        if (sealed.size() > 0) {
            tally.left(batch.whyLeft(), sealed.size(), now);
        }
        if (!sealed.later().isEmpty()) {
            batchSender.sendApart(Batch.closed(sealed.later(), this), batch.whyLeft());
        }
        return sealed;
    }

    /**
     * The call of a batch is back; its callers are not yet answered.
     *
     * @param answered whether the target answered it
     */
    void back(Batch<Q, R> batch, long now, boolean answered) {
        tally.back();
        BatchMerging.Call call = batch.call();
        if (call == null) {
            return;
        }
        boolean look;
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
            look = window.goesByReturns();
        } finally {
            lock.unlock();
        }
        if (waiting != null && look) {
            waiting.wake();
        }
    }

    /** It was not sent after all. */
    void withdraw(Batch<Q, R> batch) {
        open.compareAndSet(batch, null);
        tally.went(batch.joined());
        lock.lock();
        try {
            closeWindow(batch, ticker.nanos());
            BatchMerging.Call call = batch.call();
            if (call != null) {
                window.notSent(call);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sends what waits, and lets nothing wait any more. */
    void drain() {
        draining = true;
        Batch<Q, R> waiting = open.get();
        if (waiting != null) {
            waiting.wake();
        }
    }

    /** Whether nothing is in it, and has not been for some time. */
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

    /** How long a request may wait as of now, in nanoseconds. */
    long budget() {
        return window.budget();
    }

    /** Why, and what a batch waits for. */
    String reason() {
        lock.lock();
        try {
            return window.reason();
        } finally {
            lock.unlock();
        }
    }

    /** What larger batches cost. */
    String cost() {
        return window.cost();
    }
}
