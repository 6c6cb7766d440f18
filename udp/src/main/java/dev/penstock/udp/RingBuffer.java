package dev.penstock.udp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded lock-free queue with a single producer and multiple consumers.
 *
 * <p>Design note: a consumer claims a slot by advancing {@code head}, and empties it afterwards. Until then, the producer finds
 * the slot occupied and reports the ring as full. So a slot is never written while it is read, and the ring keeps no
 * reference to an element that was taken. {@code head} and {@code tail}, which different threads write, are 128 bytes apart:
 * two cache lines, since processors fetch them in pairs.
 *
 * @param <E> the type of the elements
 */
final class RingBuffer<E> {
    private static final VarHandle HEAD = handle("head");
    private static final VarHandle TAIL = handle("tail");

    private final AtomicReferenceArray<@Nullable E> slots;
    private final int mask;

    @SuppressWarnings("unused")
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

    private volatile long head;

    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15;

    private volatile long tail;

    /**
     * Creates an empty ring.
     *
     * @param least the minimum capacity, which is rounded up to a power of two
     */
    RingBuffer(int least) {
        int capacity = Integer.highestOneBit(Math.max(1, least - 1)) << 1;
        slots = new AtomicReferenceArray<>(capacity);
        mask = capacity - 1;
    }

    private static VarHandle handle(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(RingBuffer.class, field, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Adds an element; only for the producer thread. Returns false when the ring is full. */
    boolean offer(E element) {
        long at = (long) TAIL.get(this);
        int slot = (int) at & mask;
        if (slots.getAcquire(slot) != null) {
            return false;
        }
        slots.setPlain(slot, element);
        // A volatile write: consumers see the element before the new tail, and it precedes this thread's later reads.
        tail = at + 1;
        return true;
    }

    /** Removes and returns the oldest element; null when the ring is empty. */
    @Nullable
    E poll() {
        while (true) {
            long at = head;
            if (at >= tail) {
                return null;
            }
            if (HEAD.compareAndSet(this, at, at + 1)) {
                int slot = (int) at & mask;
                E element = slots.getAcquire(slot);
                slots.setRelease(slot, null);
                return element;
            }
        }
    }

    boolean isEmpty() {
        return head >= tail;
    }

    /** The number of elements; approximate while other threads add or remove. */
    int size() {
        long first = head;
        return Math.clamp(tail - first, 0, capacity());
    }

    int capacity() {
        return mask + 1;
    }
}
