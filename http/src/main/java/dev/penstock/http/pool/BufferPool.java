package dev.penstock.http.pool;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reuses objects that are expensive to create, such as buffers. It holds at most as many as were in use at the same
 * time. Thread-safe.
 *
 * <h2>Design note</h2>
 *
 * <p>Mostly an object is returned right before the next one is taken. One object therefore has its own slot, which costs only
 * an atomic exchange; a queue would allocate a node each time.
 */
public final class BufferPool<T> {
    private final Supplier<T> factory;
    private final AtomicReference<@Nullable T> next = new AtomicReference<>();
    private final Deque<T> others = new ConcurrentLinkedDeque<>();

    /** Creates an empty pool. */
    public BufferPool(Supplier<T> factory) {
        this.factory = factory;
    }

    /** Returns an unused object, a new one if necessary. */
    public T take() {
        T object = next.get() == null ? null : next.getAndSet(null);
        if (object == null) {
            object = others.pollFirst();
        }
        return object == null ? factory.get() : object;
    }

    /** Returns an object to the pool; the caller must not use it any more. */
    public void give(T object) {
        if (next.get() != null || !next.compareAndSet(null, object)) {
            others.addFirst(object);
        }
    }
}
