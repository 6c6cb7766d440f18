package dev.penstock.rate;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/**
 * A bounded number of values by key, each made when it is first asked for. When the table is full, values that do not differ from new
 * ones are removed, once a second; while there are none, further keys share one value. So nobody can grow it, or push another out.
 * Thread-safe.
 */
public final class BoundedTable<K, V> {
    private static final long INTERVAL = 1_000_000_000;

    private final ConcurrentHashMap<K, V> values = new ConcurrentHashMap<>();
    private final int most;
    private final Supplier<V> make;
    private final BiPredicate<V, Long> isLikeNew;
    private final V ofOthers;
    private final AtomicLong nextSweep;

    /** @param isLikeNew whether a value may be forgotten at that reading of the clock */
    public BoundedTable(int most, Supplier<V> make, BiPredicate<V, Long> isLikeNew, long now) {
        this.most = most;
        this.make = make;
        this.isLikeNew = isLikeNew;
        this.ofOthers = make.get();
        this.nextSweep = new AtomicLong(now);
    }

    /** The value of a key. */
    public V get(K key, long now) {
        V known = values.get(key);
        if (known != null) {
            return known;
        }
        long due = nextSweep.get();
        if (values.size() >= most && now - due >= 0 && nextSweep.compareAndSet(due, now + INTERVAL)) {
            values.values().removeIf(value -> isLikeNew.test(value, now));
        }
        return values.size() >= most ? ofOthers : values.computeIfAbsent(key, absent -> make.get());
    }

    /** Passes each value with its key, then that of all other keys. */
    public void forEach(K others, BiConsumer<K, V> to) {
        values.forEach(to);
        to.accept(others, ofOthers);
    }
}
