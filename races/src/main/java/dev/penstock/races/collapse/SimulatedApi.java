package dev.penstock.races.collapse;

import dev.penstock.Ticker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A remote API that answers one request or many by one call. It may serve only so many calls at once; others wait. It counts calls and
 * items, and knows an item again that it has had before. Items are numbers from 0 on.
 *
 * <p>Safe for many threads; so many may call at once as want to.
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
     * An API that nobody has called.
     *
     * @param time of each call
     * @param seed where its chance begins
     * @param ticker its clock
     * @param slots how many calls it serves at once; 0 for any number
     */
    SimulatedApi(SimulatedCallTime time, long seed, Ticker ticker, int slots) {
        this.slots = slots == 0 ? null : new Semaphore(slots, true);
        this.time = time;
        this.seed = seed;
        this.ticker = ticker;
    }

    /** One that serves any number of calls at once. */
    SimulatedApi(SimulatedCallTime time, long seed, Ticker ticker) {
        this(time, seed, ticker, 0);
    }

    /** The one right answer to an item: no two items have the same. */
    static long answerTo(long item) {
        long mixed = item * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 32;
    }

    /** Counts the calls that begin in this time only; no call before it is told. */
    void measure(long fromNanos, long nanos) {
        windowStart = fromNanos;
        windowNanos = nanos;
    }

    /** Answers one, on the calling thread. */
    long ask(long item) throws InterruptedException {
        waitFor(begun(1));
        received.add(item);
        inFlight.decrementAndGet();
        return answerTo(item);
    }

    /** Answers many in their order, on the calling thread. */
    List<Long> ask(List<Long> asked) throws InterruptedException {
        waitFor(begun(asked.size()));
        return answers(asked);
    }

    /** Answers many in their order, later, on a thread of its own; at once where calls take no time. */
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

    /** How long the call takes that has just begun. */
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
                throw new InterruptedException("interrupted while a call was out");
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

    /** How many different items it has answered. */
    long received() {
        return received.size();
    }

    /**
     * {@code downstream_calls_per_s}, {@code batch_mean} (items a call) and {@code in_flight_max} (calls at once) of the
     * measured time; {@code duplicates}, items that came once more, of all time.
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
}
