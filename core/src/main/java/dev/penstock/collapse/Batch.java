package dev.penstock.collapse;

import dev.penstock.BatchCounts.SendReason;
import dev.penstock.CollapseSettings;
import dev.penstock.Failed;
import dev.penstock.Prioritized;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are sent in one call. Requests can join until the batch is sealed, which happens when it has its permit and
 * is about to be sent; while it waits for the permit, it keeps growing.
 *
 * <h2>Design note</h2>
 *
 * <p>Joining is one compare-and-set of the top of a stack (Treiber, 1986). Sealing replaces the top with a mark that nothing
 * can be pushed onto. So a request either joined the batch or sees the mark: none is lost, and none blocks another.
 *
 * <p>A caller that gives up stays in the stack, but its slot becomes free. To bound the stack, a batch takes at most {@value
 * #MAX_CALLERS_PER_SLOT} callers per slot, including callers of merged requests.
 *
 * <p>Safe for many threads.
 */
public final class Batch<Q, R> {
    private static final int MAX_CALLERS_PER_SLOT = 64;

    /** The top of the stack of a sealed batch. */
    private enum Mark {
        SEALED
    }

    private final Batcher<Q, R> batcher;
    private final CollapseSettings<Q, R> settings;
    private final int capacity;
    private final AtomicReference<@Nullable Object> top = new AtomicReference<>();
    private final AtomicInteger abandoned = new AtomicInteger();
    private final @Nullable Set<Object> asked;
    private final @Nullable Unanswered refused;
    /** All its requests, once none can join. */
    private volatile List<BatchItem<Q, R>> all;

    private volatile int leavesAt = Integer.MAX_VALUE;
    private volatile @Nullable Thread batchSender;
    private @Nullable SealedBatch<Q, R> sealed;
    private long openedAt;
    private int joined;
    private SendReason sendReason = SendReason.GAP;
    private long lastArrival;
    private BatchMerging.@Nullable Call call;

    private Batch(Batcher<Q, R> batcher, List<BatchItem<Q, R>> all, @Nullable Unanswered refused) {
        this.refused = refused;
        this.batcher = batcher;
        this.settings = batcher.settings();
        this.capacity = batcher.capacity();
        this.all = all;
        this.asked = settings.grouping().same() == null ? null : ConcurrentHashMap.newKeySet();
    }

    /** Opens a batch with its first request. */
    static <Q, R> Batch<Q, R> of(BatchItem<Q, R> first, Batcher<Q, R> batcher) {
        Batch<Q, R> batch = new Batch<>(batcher, List.of(), null);
        batch.openedAt = first.arrival();
        batch.join(first);
        return batch;
    }

    /** Creates a batch that no other request can join. */
    static <Q, R> Batch<Q, R> closed(List<BatchItem<Q, R>> items, Batcher<Q, R> batcher) {
        return closed(items, batcher, null);
    }

    /**
     * Creates one half of a batch that was sent before.
     *
     * @param refused the ending of that batch, and of this half unless it is sent
     */
    static <Q, R> Batch<Q, R> half(List<BatchItem<Q, R>> items, Batcher<Q, R> batcher, Unanswered refused) {
        return closed(items, batcher, refused);
    }

    private static <Q, R> Batch<Q, R> closed(
            List<BatchItem<Q, R>> items, Batcher<Q, R> batcher, @Nullable Unanswered refused) {
        Batch<Q, R> batch = new Batch<>(batcher, items, refused);
        batch.top.set(Mark.SEALED);
        return batch;
    }

    /** The final ending for its requests: a half that could not be sent ends as the whole batch did. */
    Unanswered ending(Unanswered ending) {
        boolean unsent =
                ending instanceof Rejected || (ending instanceof Failed failed && failed.why() == Failed.Cause.CONNECT);
        return unsent && refused != null ? refused : ending;
    }

    /** Adds a request, unless the batch is sealed or full. */
    boolean join(BatchItem<Q, R> item) {
        Object mergeKey = item.mergeKey();
        while (true) {
            Object there = top.get();
            BatchItem<Q, R> now = item(there);
            boolean takesSlot = mergeKey == null || asked == null || !asked.contains(mergeKey);
            if (there instanceof Mark || !hasRoom(now, takesSlot, item.size())) {
                return false;
            }
            item.pushOnto(now, takesSlot);
            if (top.compareAndSet(there, item)) {
                if (mergeKey != null && asked != null) {
                    asked.add(mergeKey);
                }
                if (item.count() >= leavesAt || isFull(item)) {
                    LockSupport.unpark(batchSender);
                }
                return true;
            }
        }
    }

    private boolean hasRoom(@Nullable BatchItem<Q, R> now, boolean takesSlot, long size) {
        if (now == null) {
            return true;
        }
        boolean bytes = !takesSlot || size <= settings.bounds().bytes() - now.bytes();
        return bytes && !(takesSlot ? isFull(now) : hasTooManyCallers(now));
    }

    private boolean isFull(BatchItem<Q, R> now) {
        return now.slots() - abandoned.get() >= capacity
                || now.bytes() >= settings.bounds().bytes()
                || hasTooManyCallers(now);
    }

    private boolean hasTooManyCallers(BatchItem<Q, R> now) {
        return now.count() >= (long) MAX_CALLERS_PER_SLOT * settings.bounds().max();
    }

    /** A caller gave up before its request was sent: its slot is free. */
    void freeSlot() {
        abandoned.incrementAndGet();
    }

    /** The last request that joined; null once it is sealed. */
    @Nullable
    BatchItem<Q, R> newest() {
        return item(top.get());
    }

    @SuppressWarnings("unchecked") // only items of this kind come in
    private static <Q, R> @Nullable BatchItem<Q, R> item(@Nullable Object there) {
        return there instanceof Mark ? null : (BatchItem<Q, R>) there;
    }

    /** Whether no more requests fit, or it is sealed. */
    boolean isFull() {
        BatchItem<Q, R> now = newest();
        return now == null || isFull(now);
    }

    /** Registers the thread to wake when the batch has the given number of requests. */
    void wakeAt(Thread thread, int atCount) {
        batchSender = thread;
        leavesAt = atCount;
    }

    /** Wakes the registered thread. */
    void wake() {
        LockSupport.unpark(batchSender);
    }

    /**
     * Seals the batch: no more requests can join, and those whose callers still wait are sent. Idempotent.
     *
     * @param callTime decides which requests can no longer be answered in time; those are rejected
     */
    synchronized SealedBatch<Q, R> seal(long now, CallTime callTime) {
        SealedBatch<Q, R> done = sealed;
        if (done == null) {
            done = SealedBatch.of(takeItems(), settings.bounds().max(), now, callTime);
            sealed = done;
        }
        return done;
    }

    /** Seals the batch without sending it, and gives all its requests the same ending. */
    synchronized void endAll(Unanswered ending) {
        List<BatchItem<Q, R>> items = takeItems();
        sealed = new SealedBatch<>(List.of(), List.of());
        items.forEach(item -> SealedBatch.end(item, ending));
    }

    /** Whether it is sealed, possibly empty. */
    synchronized boolean isSealed() {
        return sealed != null;
    }

    private List<BatchItem<Q, R>> takeItems() {
        if (!all.isEmpty()) {
            return all;
        }
        List<BatchItem<Q, R>> inOrder = new ArrayList<>();
        for (BatchItem<Q, R> item = item(top.getAndSet(Mark.SEALED)); item != null; item = item.before()) {
            inOrder.add(item);
        }
        joined = inOrder.size();
        lastArrival = inOrder.isEmpty() ? 0 : inOrder.getFirst().arrival();
        all = inOrder.reversed();
        return all;
    }

    /** When its first request arrived. */
    long openedAt() {
        return openedAt;
    }

    /** The number of requests that had joined when it was sealed, including those whose callers gave up. */
    synchronized int joined() {
        return joined;
    }

    /** When the last of them arrived. */
    synchronized long lastArrival() {
        return lastArrival;
    }

    /**
     * Wakes the callers whose time is up.
     *
     * @return the shortest time left of the others, in nanoseconds; {@code Long.MAX_VALUE} when none has a deadline
     */
    synchronized long wakeLate(long now) {
        long shortest = Long.MAX_VALUE;
        for (BatchItem<Q, R> item = newest(); item != null; item = item.before()) {
            shortest = Math.min(shortest, item.wakeLate(now));
        }
        for (BatchItem<Q, R> item : all) {
            for (BatchItem<Q, R> each = item; each != null; each = each.same()) {
                shortest = Math.min(shortest, each.wakeLate(now));
            }
        }
        return shortest;
    }

    /** The longest time left of any of its requests, in nanoseconds; {@code Long.MAX_VALUE} for no deadline. */
    long longestLeft(long now) {
        long longest = Long.MIN_VALUE;
        for (BatchItem<Q, R> item = newest(); item != null; item = item.before()) {
            longest = Math.max(longest, item.left(now));
        }
        for (BatchItem<Q, R> item : all) {
            longest = Math.max(longest, item.longestLeft(now));
        }
        return longest;
    }

    SendReason sendReason() {
        return sendReason;
    }

    void setSendReason(SendReason why) {
        sendReason = why;
    }

    Batcher<Q, R> batcher() {
        return batcher;
    }

    /** The call of this batch, as tracked by {@link BatchMerging}; null before it is closed. */
    BatchMerging.@Nullable Call call() {
        return call;
    }

    void setCall(BatchMerging.Call it) {
        call = it;
    }

    /**
     * The urgency of its most urgent request so far.
     *
     * @param of returns the urgency of a request; 0 is the most urgent
     */
    public int mostUrgent(ToIntFunction<Object> of) {
        int most = Prioritized.LEAST_URGENT;
        for (BatchItem<Q, R> item = newest(); item != null; item = item.before()) {
            most = Math.min(most, of.applyAsInt(item.request()));
        }
        for (BatchItem<Q, R> item : all) {
            most = Math.min(most, of.applyAsInt(item.request()));
        }
        return most;
    }
}
