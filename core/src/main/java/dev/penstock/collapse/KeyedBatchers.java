package dev.penstock.collapse;

import dev.penstock.Collapse;
import dev.penstock.CollapseSettings;
import dev.penstock.CollapseSettings.Grouping;
import dev.penstock.Failed;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One batcher for all requests, or one per key. A batcher of a key that was not used for a minute is dropped when a new key
 * is looked up, so no thread is needed for it. There are at most {@value Collapse#MAX_KEYS}.
 *
 * <p>Safe for many threads.
 */
final class KeyedBatchers<Q, R> {
    static final long IDLE_NANOS = 60_000_000_000L;
    private static final long SWEEP_NANOS = 10_000_000_000L;

    private final Supplier<CollapseSettings<Q, R>> current;
    private final Supplier<Batcher<Q, R>> fresh;
    private final Batcher<Q, R> shared;
    private final ConcurrentHashMap<Object, Batcher<Q, R>> byKey = new ConcurrentHashMap<>();
    private final AtomicLong lastSweep;
    private volatile Batcher<Q, R> latest;
    private volatile boolean draining;

    /**
     * Creates the shared batcher.
     *
     * @param fresh creates a batcher
     * @param now the current time
     */
    KeyedBatchers(Supplier<CollapseSettings<Q, R>> current, Supplier<Batcher<Q, R>> fresh, long now) {
        this.current = current;
        this.fresh = fresh;
        this.shared = fresh.get();
        this.latest = shared;
        this.lastSweep = new AtomicLong(now);
    }

    /**
     * Returns the batcher for a request; null when it is sent alone.
     *
     * @throws Failed a function of the settings threw; the request is not sent
     */
    @Nullable
    Batcher<Q, R> of(Q request, long now) throws Failed {
        CollapseSettings<Q, R> settings = current.get();
        if (settings.bounds().max() == 1) {
            return null;
        }
        Batcher<Q, R> own;
        try {
            Grouping<Q> grouping = settings.grouping();
            if (grouping.fit() != null && !grouping.fit().test(request)) {
                return null;
            }
            if (grouping.scope() == null) {
                return shared;
            }
            own = ofKey(
                    Objects.requireNonNull(grouping.scope().apply(request), "the function passed to per returned null"),
                    now);
        } catch (RuntimeException | Error broken) {
            throw CollapseSettings.broken(broken);
        }
        if (own != null && own != latest) {
            latest = own;
        }
        return own;
    }

    private @Nullable Batcher<Q, R> ofKey(Object key, long now) {
        Batcher<Q, R> known = byKey.get(key);
        if (known != null) {
            return known;
        }
        sweep(now);
        if (byKey.size() >= Collapse.MAX_KEYS) {
            return null;
        }
        Batcher<Q, R> own = byKey.computeIfAbsent(key, _ -> fresh.get());
        if (draining) {
            own.drain();
        }
        return own;
    }

    private void sweep(long now) {
        long before = lastSweep.get();
        if (now - before >= SWEEP_NANOS && lastSweep.compareAndSet(before, now)) {
            // A thread that has just looked up a removed batcher can still use it.
            byKey.values().removeIf(batcher -> batcher.isIdle(now, IDLE_NANOS));
        }
    }

    /** The batcher for all requests when there are no keys, and for requests that are sent alone. */
    Batcher<Q, R> shared() {
        return shared;
    }

    /** The number of keys with a batcher. */
    int keys() {
        return byKey.size();
    }

    /** What a batch waits for; with keys, for the key used last. */
    String reason() {
        return latest.reason();
    }

    /** The learned cost of larger batches; with keys, for the key used last. */
    String cost() {
        return latest.cost();
    }

    void drain() {
        draining = true;
        shared.drain();
        byKey.values().forEach(Batcher::drain);
    }
}
