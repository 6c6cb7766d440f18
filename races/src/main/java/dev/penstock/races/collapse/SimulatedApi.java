package dev.penstock.races.collapse;

import dev.penstock.Ticker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A simulated remote API that answers one request or a batch per call. It may limit concurrent calls; others wait. It
 * counts calls and items, and detects duplicate items. Items are numbers from 0.
 *
 * <p>Thread-safe.
 */
final class SimulatedApi {
    private final SimulatedCallTime time;
    private final long seed;
    private final Ticker ticker;
    private final @Nullable Semaphore slots;
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger inFlightMax = new AtomicInteger();
    private final LongAdder calls = new LongAdder();
    private final LongAdder items = new LongAdder();
    private final ItemSet received = new ItemSet();
    private volatile long windowStart;
    private volatile long windowNanos;

    /**
     * An unused API.
     *
     * @param time of each call
     * @param seed of random choices
     * @param ticker the clock
     * @param slots maximum concurrent calls; 0 for unlimited
     */
    SimulatedApi(SimulatedCallTime time, long seed, Ticker ticker, int slots) {
        this.slots = slots == 0 ? null : new Semaphore(slots, true);
        this.time = time;
        this.seed = seed;
        this.ticker = ticker;
    }

    /** An API with unlimited concurrency. */
    SimulatedApi(SimulatedCallTime time, long seed, Ticker ticker) {
        this(time, seed, ticker, 0);
    }

    /** The correct answer to an item; unique per item. */
    static long answerTo(long item) {
        long mixed = item * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 32;
    }

    /** Counts only calls that start in this time range. */
    void measure(long fromNanos, long nanos) {
        windowStart = fromNanos;
        windowNanos = nanos;
    }

    /** Answers one item on the calling thread. */
    long ask(long item) throws InterruptedException {
        waitFor(begun(1));
        received.add(item);
        inFlight.decrementAndGet();
        return answerTo(item);
    }

    /** Answers a batch in its order on the calling thread. */
    List<Long> ask(List<Long> asked) throws InterruptedException {
        waitFor(begun(asked.size()));
        return answers(asked);
    }

    /** Answers a batch in its order on another thread; immediately when calls take no time. */
    CompletionStage<List<Long>> askLater(List<Long> asked) {
        long nanos = begun(asked.size());
        if (nanos == 0) {
            return CompletableFuture.completedFuture(answers(asked));
        }
        CompletableFuture<List<Long>> later = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                waitFor(nanos);
                later.complete(answers(asked));
            } catch (InterruptedException e) {
                later.completeExceptionally(new CompletionException(e));
            }
        });
        return later;
    }

    /** The time of the call that has just started. */
    private long begun(int size) {
        int out = inFlight.incrementAndGet();
        long into = ticker.nanos() - windowStart;
        if (into >= 0 && into < windowNanos) {
            calls.increment();
            items.add(size);
            if (out > inFlightMax.get()) {
                inFlightMax.accumulateAndGet(out, Math::max);
            }
        }
        return time.nanos(seed, numbers.getAndIncrement(), size);
    }

    private void waitFor(long nanos) throws InterruptedException {
        if (slots == null) {
            sleep(nanos);
            return;
        }
        slots.acquire();
        try {
            sleep(nanos);
        } finally {
            slots.release();
        }
    }

    private void sleep(long nanos) throws InterruptedException {
        long until = ticker.nanos() + nanos;
        while (nanos > 0 && until - ticker.nanos() > 0) {
            ticker.parkUntil(until);
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted during a call");
            }
        }
    }

    private List<Long> answers(List<Long> asked) {
        List<Long> answers = new ArrayList<>(asked.size());
        for (long item : asked) {
            received.add(item);
            answers.add(answerTo(item));
        }
        inFlight.decrementAndGet();
        return answers;
    }

    /** The number of different items answered. */
    long received() {
        return received.size();
    }

    /**
     * {@code downstream_calls_per_s}, {@code batch_mean} (items per call) and {@code in_flight_max} (concurrent calls)
     * of the measured time; {@code duplicates}, repeated items since the start.
     */
    Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("downstream_calls_per_s", calls.sum() * 1e9 / windowNanos);
        if (calls.sum() > 0) {
            metrics.put("batch_mean", (double) items.sum() / calls.sum());
        }
        metrics.put("in_flight_max", (double) inFlightMax.get());
        metrics.put("duplicates", (double) received.duplicates());
        return metrics;
    }

    /** A set of received items as bitmaps, with the number of duplicates. Thread-safe. */
    static final class ItemSet {
        /** Bits per page: 8 kB, so that a run of millions needs few pages and a short one little memory. */
        private static final int PAGE = 1 << 16;

        private final ConcurrentHashMap<Long, AtomicLongArray> pages = new ConcurrentHashMap<>();
        private final LongAdder size = new LongAdder();
        private final LongAdder duplicates = new LongAdder();

        /**
         * Adds an item.
         *
         * @param item 0 or more
         * @throws IllegalArgumentException when out of range
         */
        void add(long item) {
            if (item < 0) {
                throw new IllegalArgumentException("an item must be 0 or more, not " + item);
            }
            AtomicLongArray page = pages.get(item / PAGE);
            if (page == null) {
                page = pages.computeIfAbsent(item / PAGE, _ -> new AtomicLongArray(PAGE / Long.SIZE));
            }
            long bit = 1L << (item % Long.SIZE);
            long before = page.getAndAccumulate((int) (item % PAGE / Long.SIZE), bit, (word, one) -> word | one);
            ((before & bit) == 0 ? size : duplicates).increment();
        }

        /** The number of different items. */
        long size() {
            return size.sum();
        }

        /** The number of items received before. */
        long duplicates() {
            return duplicates.sum();
        }
    }
}
