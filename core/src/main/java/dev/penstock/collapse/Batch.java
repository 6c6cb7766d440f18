package dev.penstock.collapse;

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
 * Requests that travel together. Others may join until it is sealed, which is when it has its permit and goes to the
 * target: while it waits for that, it just grows.
 *
 * <h2>Design note</h2>
 *
 * <p>Joining is one compare-and-set of the top of a stack (Treiber, 1986), and sealing is one exchange of it for a mark that
 * nothing can be put upon. So whoever has joined is in the batch, and whoever finds the mark is not: nobody is lost in
 * between, and nobody waits for anybody.
 *
 * <p>A caller who leaves stays in the stack, but his place is free for others; so that this cannot go on for ever, a batch
 * takes {@value #CALLERS_A_PLACE} callers for each of its places at the most, those included who ask for the same.
 *
 * <p>Safe for many threads.
 */
public final class Batch<Q, R> {
    private static final int CALLERS_A_PLACE = 64;

    /** What stands on top of the stack once nothing can be put upon it. */
    private enum Mark {
        SEALED
    }

    private final Batcher<Q, R> batcher;
    private final CollapseSettings<Q, R> settings;
    private final int most;
    private final AtomicReference<@Nullable Object> top = new AtomicReference<>();
    private final AtomicInteger gone = new AtomicInteger();
    private final List<BatchItem<Q, R>> given;
    private final @Nullable Set<Object> asked;
    private final @Nullable Unanswered refused;
    private volatile int leavesAt = Integer.MAX_VALUE;
    private volatile @Nullable Thread batchSender;
    private @Nullable SealedBatch<Q, R> sealed;
    private long openedAt;
    private int joined;
    private SendReason whyLeft = SendReason.GAP;
    private long lastArrival;
    private BatchMerging.@Nullable Call call;

    private Batch(Batcher<Q, R> batcher, List<BatchItem<Q, R>> given, @Nullable Unanswered refused) {
        this.refused = refused;
        this.batcher = batcher;
        this.settings = batcher.settings();
        this.most = batcher.most();
        this.given = given;
        this.asked = settings.same() == null ? null : ConcurrentHashMap.newKeySet();
    }

    /** An open batch of one. */
    static <Q, R> Batch<Q, R> of(BatchItem<Q, R> first, Batcher<Q, R> batcher) {
        Batch<Q, R> batch = new Batch<>(batcher, List.of(), null);
        batch.openedAt = first.arrival();
        batch.join(first);
        return batch;
    }

    /** A batch that nobody can join. */
    static <Q, R> Batch<Q, R> closed(List<BatchItem<Q, R>> items, Batcher<Q, R> batcher) {
        return closed(items, batcher, null);
    }

    /**
     * A part of a batch that was sent before.
     *
     * @param refused how that one ended, and this one too unless it is sent
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

    /** How a request of it ends: one of a half that was not sent any more as it did with the whole. */
    Unanswered ending(Unanswered ending) {
        boolean unsent =
                ending instanceof Rejected || (ending instanceof Failed failed && failed.why() == Failed.Cause.CONNECT);
        return unsent && refused != null ? refused : ending;
    }

    /** Lets a request in, unless the batch is sealed or full. */
    boolean join(BatchItem<Q, R> item) {
        Object asksFor = item.asksFor();
        while (true) {
            Object there = top.get();
            BatchItem<Q, R> now = item(there);
            boolean place = asksFor == null || asked == null || !asked.contains(asksFor);
            if (there instanceof Mark || !hasRoom(now, place, item.size())) {
                return false;
            }
            item.over(now, place);
            if (top.compareAndSet(there, item)) {
                if (asksFor != null && asked != null) {
                    asked.add(asksFor);
                }
                if (item.count() >= leavesAt || isFull(item)) {
                    LockSupport.unpark(batchSender);
                }
                return true;
            }
        }
    }

    private boolean hasRoom(@Nullable BatchItem<Q, R> now, boolean place, long size) {
        if (now == null) {
            return true;
        }
        boolean bytes = !place || size <= settings.maxBytes() - now.bytes();
        return bytes && !(place ? isFull(now) : hasTooManyCallers(now));
    }

    private boolean isFull(BatchItem<Q, R> now) {
        return now.places() - gone.get() >= most || now.bytes() >= settings.maxBytes() || hasTooManyCallers(now);
    }

    private boolean hasTooManyCallers(BatchItem<Q, R> now) {
        return now.count() >= (long) CALLERS_A_PLACE * settings.max();
    }

    /** A caller has left who was not sent: his place is free. */
    void leaves() {
        gone.incrementAndGet();
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

    /** Whether it has room for no more. */
    boolean isFull() {
        BatchItem<Q, R> now = newest();
        return now == null || isFull(now);
    }

    /** The thread to be woken when there are so many requests. */
    void wakes(Thread thread, int atCount) {
        batchSender = thread;
        leavesAt = atCount;
    }

    /** Wakes the thread that waits for it to leave. */
    void wake() {
        LockSupport.unpark(batchSender);
    }

    /**
     * Takes along who is still here; nobody can join any more. Done again, it gives the same.
     *
     * @param callTime tells who cannot be answered any more: they stay behind, rejected
     */
    synchronized SealedBatch<Q, R> seal(long now, CallTime callTime) {
        SealedBatch<Q, R> done = sealed;
        if (done == null) {
            done = SealedBatch.of(here(), settings.max(), now, callTime);
            sealed = done;
        }
        return done;
    }

    /** Ends all who are here, none of whom is taken along; nobody can join any more. */
    synchronized void turnAway(Unanswered ending) {
        List<BatchItem<Q, R>> all = here();
        sealed = new SealedBatch<>(List.of(), List.of());
        all.forEach(item -> SealedBatch.end(item, ending));
    }

    /** Whether it has been sealed, with or without anybody in it. */
    synchronized boolean isSealed() {
        return sealed != null;
    }

    private List<BatchItem<Q, R>> here() {
        if (!given.isEmpty()) {
            return given;
        }
        List<BatchItem<Q, R>> inOrder = new ArrayList<>();
        for (BatchItem<Q, R> item = item(top.getAndSet(Mark.SEALED)); item != null; item = item.before()) {
            inOrder.add(item);
        }
        joined = inOrder.size();
        lastArrival = inOrder.isEmpty() ? 0 : inOrder.getFirst().arrival();
        return inOrder.reversed();
    }

    /** When its first request came. */
    long openedAt() {
        return openedAt;
    }

    /** How many had joined when it was sealed, whoever has left since. */
    synchronized int joined() {
        return joined;
    }

    /** When the last of them came. */
    synchronized long lastArrival() {
        return lastArrival;
    }

    /** The longest time that any of its requests has left as of now; {@code Long.MAX_VALUE} for ever. */
    long longestLeft(long now) {
        long longest = Long.MIN_VALUE;
        for (BatchItem<Q, R> item = newest(); item != null; item = item.before()) {
            longest = Math.max(longest, item.left(now));
        }
        for (BatchItem<Q, R> item : given) {
            longest = Math.max(longest, item.longestLeft(now));
        }
        return longest;
    }

    /** Why it left. */
    SendReason whyLeft() {
        return whyLeft;
    }

    void leftBy(SendReason why) {
        whyLeft = why;
    }

    /** Who opened it. */
    Batcher<Q, R> batcher() {
        return batcher;
    }

    /** The call that it became, for who counts calls. */
    BatchMerging.@Nullable Call call() {
        return call;
    }

    void became(BatchMerging.Call it) {
        call = it;
    }

    /**
     * The urgency of the most urgent request that is in it as of now.
     *
     * @param of tells the urgency of a request; 0 is the most urgent
     */
    public int mostUrgent(ToIntFunction<Object> of) {
        int most = Prioritized.LEAST_URGENT;
        for (BatchItem<Q, R> item = newest(); item != null; item = item.before()) {
            most = Math.min(most, of.applyAsInt(item.request()));
        }
        for (BatchItem<Q, R> item : given) {
            most = Math.min(most, of.applyAsInt(item.request()));
        }
        return most;
    }
}
