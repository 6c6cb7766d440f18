package dev.penstock.collapse;

import dev.penstock.Failed;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One batcher for all, or one for each key. That of a key nobody has used for a minute is dropped, when another one is looked
 * for; so no thread is needed for it, and there are {@value Collapse#MOST_KEYS} at the most.
 *
 * <p>Safe for many threads.
 */
final class KeyedBatchers<Q, R> {
    static final long IDLE_NANOS = 60_000_000_000L;
    private static final long SWEEP_NANOS = 10_000_000_000L;

    private final Supplier<CollapseSettings<Q, R>> current;
    private final Supplier<Batcher<Q, R>> fresh;
    private final Batcher<Q, R> forAll;
    private final ConcurrentHashMap<Object, Batcher<Q, R>> byKey = new ConcurrentHashMap<>();
    private final AtomicLong lastSweep;
    private volatile Batcher<Q, R> latest;
    private volatile boolean draining;

    /**
     * Batchers that have seen nothing.
     *
     * @param fresh makes one
     * @param now a reading of the clock
     */
    KeyedBatchers(Supplier<CollapseSettings<Q, R>> current, Supplier<Batcher<Q, R>> fresh, long now) {
        this.current = current;
        this.fresh = fresh;
        this.forAll = fresh.get();
        this.latest = forAll;
        this.lastSweep = new AtomicLong(now);
    }

    /**
     * The batcher that a request belongs to; null when it goes alone.
     *
     * @throws Failed a function of the settings could not tell, so nothing is sent
     */
    @Nullable
    Batcher<Q, R> of(Q request, long now) throws Failed {
        CollapseSettings<Q, R> settings = current.get();
        if (settings.max() == 1) {
            return null;
        }
        Batcher<Q, R> own;
        try {
            if (settings.fit() != null && !settings.fit().test(request)) {
                return null;
            }
            if (settings.scope() == null) {
                return forAll;
            }
            own = ofKey(Objects.requireNonNull(settings.scope().apply(request), "no key of per"), now);
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
        if (byKey.size() >= Collapse.MOST_KEYS) {
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
            // Whoever has got hold of one just now can still use it: it is only no longer found.
            byKey.values().removeIf(batcher -> batcher.isIdle(now, IDLE_NANOS));
        }
    }

    /** One that can carry what goes alone. */
    Batcher<Q, R> anyway() {
        return forAll;
    }

    /** How many keys have one. */
    int keys() {
        return byKey.size();
    }

    /** What a batch waits for; where there are keys, one of that key which was used last. */
    String reason() {
        return latest.reason();
    }

    /** What larger batches cost; where there are keys, those of that key which was used last. */
    String cost() {
        return latest.cost();
    }

    void drain() {
        draining = true;
        forAll.drain();
        byKey.values().forEach(Batcher::drain);
    }
}
