package dev.penstock.http.pool;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Things that nobody needs now, and that are dear to make: taken by who needs one, given back by who does not. As many as
 * were taken at once. Safe for many threads.
 *
 * <h2>Design note</h2>
 *
 * <p>Mostly one is given back right before the next is taken, so one lies in a slot of its own, where that costs no more
 * than an exchange of references; a queue makes a node for each.
 */
public final class BufferPool<T> {
    private final Supplier<T> maker;
    private final AtomicReference<@Nullable T> next = new AtomicReference<>();
    private final Deque<T> others = new ConcurrentLinkedDeque<>();

    /** None yet. */
    public BufferPool(Supplier<T> maker) {
        this.maker = maker;
    }

    /** One that nobody else has. */
    public T take() {
        T spare = next.get() == null ? null : next.getAndSet(null);
        if (spare == null) {
            spare = others.pollFirst();
        }
        return spare == null ? maker.get() : spare;
    }

    /** Gives one back; the caller uses it no more. */
    public void give(T spare) {
        if (next.get() != null || !next.compareAndSet(null, spare)) {
            others.addFirst(spare);
        }
    }
}
