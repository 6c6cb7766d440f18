package dev.penstock.collapse;

import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Transit;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
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
    private final CollapseSettings<Q, R> settings;
    private final Service<Batch<Q, R>, Endings<R>> next;
    private final CallTime callTime;
    private final BatchTally tally;
    private final Ticker ticker;
    private final ThreadFactory threads;
    private final AtomicReference<@Nullable Batch<Q, R>> open = new AtomicReference<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final WindowController window;
    private @Nullable Batch<Q, R> inWindow;
    private volatile boolean draining;
    private volatile long lastUsed;

    /**
     * A batcher without batches.
     *
     * @param next takes a batch to the target
     * @param callTime shared by all batchers of a target
     */
    Batcher(
            CollapseSettings<Q, R> settings,
            Service<Batch<Q, R>, Endings<R>> next,
            CallTime callTime,
            BatchTally tally,
            Ticker ticker,
            ThreadFactory threads) {
        this.settings = settings;
        this.next = next;
        this.callTime = callTime;
        this.tally = tally;
        this.ticker = ticker;
        this.threads = threads;
        this.window = new WindowController(settings.share(), settings.time(), callTime);
    }

    CollapseSettings<Q, R> settings() {
        return settings;
    }

    /** Carries one request with others, and waits for its ending. */
    Ending call(Q request, Transit transit) throws Rejected {
        boolean trial = mayCome(transit);
        Item<Q, R> item = new Item<>(request, Thread.currentThread(), transit, trial);
        lastUsed = transit.now();
        tally.came();
        Batch<Q, R> batch = board(item);
        Ending ending = item.await(ticker);
        if (item.hasLeft()) {
            batch.leaves();
        }
        transit.tick();
        return ending;
    }

    /** Carries one request by itself, on the caller's thread. */
    Ending callAlone(Q request, Transit transit) throws Rejected {
        Item<Q, R> item = new Item<>(request, null, transit, mayCome(transit));
        tally.came();
        Batch<Q, R> batch = Batch.closed(List.of(item), this);
        batch.leftBy(Left.ALONE);
        send(batch);
        transit.tick();
        return item.await(ticker);
    }

    /** Rejects what nobody could answer in time; tells whether it is sent all the same, as a trial. */
    private boolean mayCome(Transit transit) throws Rejected {
        long left = transit.timeLeft();
        if (!transit.hasDeadline() || !callTime.isHopeless(left)) {
            return false;
        }
        if (!callTime.isTrialDue(left, transit.now())) {
            throw callTime.hopeless(left);
        }
        return true;
    }

    private Batch<Q, R> board(Item<Q, R> item) {
        while (true) {
            Batch<Q, R> there = open.get();
            if (there != null && there.join(item)) {
                return there;
            }
            Batch<Q, R> mine = Batch.of(item, this);
            if (open.compareAndSet(there, mine)) {
                threads.newThread(() -> carry(mine)).start();
                return mine;
            }
        }
    }

    private void carry(Batch<Q, R> batch) {
        batch.leftBy(waitForOthers(batch));
        send(batch);
    }

    /** Waits until it is to leave; tells why. */
    private Left waitForOthers(Batch<Q, R> batch) {
        openWindow(batch);
        while (true) {
            if (draining) {
                return Left.DRAIN;
            }
            switch (look(batch)) {
                case Window.Closed closed -> {
                    return closed.why();
                }
                case Window.Open until -> {
                    batch.wakes(Thread.currentThread(), until.atCount());
                    Item<Q, R> newest = Objects.requireNonNull(batch.newest(), "sealed by nobody else");
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
            }
            inWindow = batch;
            window.opened(Objects.requireNonNull(batch.newest()).arrival());
        } finally {
            lock.unlock();
        }
    }

    private Window look(Batch<Q, R> batch) {
        lock.lock();
        try {
            Item<Q, R> newest = batch.newest();
            if (inWindow != batch || newest == null) {
                return new Window.Closed(Left.FULL);
            }
            long now = ticker.nanos();
            return window.look(now, newest.count(), newest.arrival(), batch.isFull(), newest.slack(now));
        } finally {
            lock.unlock();
        }
    }

    private void closeWindow(Batch<Q, R> batch, long now) {
        if (inWindow == batch) {
            inWindow = null;
            Item<Q, R> newest = batch.newest();
            batch.became(
                    newest == null
                            ? window.left(now, batch.joined(), batch.lastArrival())
                            : window.left(now, newest.count(), newest.arrival()));
        }
    }

    /** The batch goes to the target: nobody can join it any more. */
    Sealed<Q, R> seal(Batch<Q, R> batch, long now) {
        boolean first = !batch.isSealed();
        Sealed<Q, R> sealed = batch.seal(now, callTime);
        open.compareAndSet(batch, null);
        lock.lock();
        try {
            closeWindow(batch, now);
            Merging.Call call = batch.call();
            if (call != null) {
                call.sent(now);
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
            sendApart(Batch.closed(sealed.later(), this), batch.whyLeft());
        }
        return sealed;
    }

    /** The call of a batch is back; its callers are not yet answered. */
    void back(Batch<Q, R> batch, long now) {
        tally.back();
        Merging.Call call = batch.call();
        if (call == null) {
            return;
        }
        boolean look;
        Batch<Q, R> waiting;
        lock.lock();
        try {
            waiting = inWindow;
            Item<Q, R> newest = waiting == null ? null : waiting.newest();
            if (newest == null) {
                window.returned(now, call, 0, 0);
            } else {
                window.returned(now, call, newest.count(), newest.arrival());
            }
            look = window.goesByReturns();
        } finally {
            lock.unlock();
        }
        if (waiting != null && look) {
            waiting.wake();
        }
    }

    private void sendApart(Batch<Q, R> batch, Left why) {
        batch.leftBy(why);
        threads.newThread(() -> send(batch)).start();
    }

    /** Takes a batch to the target, and its endings to the callers. */
    private void send(Batch<Q, R> batch) {
        boolean again = true;
        while (again) {
            Transit transit = Transit.begin(ticker);
            long allowed = batch.longestLeft(transit.now());
            try {
                transit.allow(allowed);
                sealed(batch).end(next.call(batch));
                again = false;
            } catch (Rejected ending) {
                again = hasMoreTimeNow(batch, ending, transit);
                if (!again) {
                    end(batch, ending);
                }
            } catch (Failed ending) {
                failed(batch, ending);
                again = false;
            } catch (Unanswered ending) {
                end(batch, ending);
                again = false;
            } catch (Throwable unexpected) {
                end(batch, unknown(unexpected));
                again = false;
            } finally {
                transit.end();
            }
        }
    }

    /** Whether others have joined since who can still be answered, though those who were in it cannot. */
    private boolean hasMoreTimeNow(Batch<Q, R> batch, Rejected ending, Transit transit) {
        return ending.why() == Rejected.Cause.DEADLINE
                && !batch.isSealed()
                && batch.longestLeft(transit.now()) > transit.timeLeft();
    }

    private void failed(Batch<Q, R> batch, Failed ending) {
        boolean asAWhole = ending.why() == Failed.Cause.UNDONE || ending.why() == Failed.Cause.REFUSED;
        if (!asAWhole
                || !settings.halving()
                || !batch.isSealed()
                || sealed(batch).size() < 2) {
            end(batch, ending);
            return;
        }
        tally.halved();
        Sealed<Q, R> whole = sealed(batch);
        sendApart(Batch.half(whole.half(false), this, ending), batch.whyLeft());
        Batch<Q, R> first = Batch.half(whole.half(true), this, ending);
        first.leftBy(batch.whyLeft());
        send(first);
    }

    /** Gives all of a batch the same ending, sent or not. */
    private void end(Batch<Q, R> batch, Unanswered ending) {
        boolean sent = batch.isSealed();
        Sealed<Q, R> all = sealed(batch);
        Unanswered last = sent ? ending : batch.endingUnsent(ending);
        if (!sent) {
            withdraw(batch);
            all.later().forEach(item -> item.end(last));
        }
        all.end(last);
    }

    private Sealed<Q, R> sealed(Batch<Q, R> batch) {
        return batch.seal(ticker.nanos(), callTime);
    }

    /** It was not sent after all. */
    private void withdraw(Batch<Q, R> batch) {
        open.compareAndSet(batch, null);
        tally.went(batch.joined());
        lock.lock();
        try {
            closeWindow(batch, ticker.nanos());
            Merging.Call call = batch.call();
            if (call != null) {
                window.notSent(call);
            }
        } finally {
            lock.unlock();
        }
    }

    private static Unknown unknown(Throwable unexpected) {
        return new Unknown(
                Unknown.Cause.ERROR,
                "the target threw " + unexpected + ", which does not tell what became of the batch",
                unexpected);
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
}
