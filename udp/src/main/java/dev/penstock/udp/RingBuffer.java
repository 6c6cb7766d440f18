package dev.penstock.udp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue with one thread that puts and many that take, without locks.
 *
 * <p>Design note: who takes claims a place by moving {@code head} on, and empties it afterwards; who puts finds the place
 * still taken until then, and says that the ring is full. So a place is never written while it is read, and nothing that was
 * taken is kept from the collector. (A place more than there are lines between {@code head} and {@code tail}, which different
 * threads write: 128 bytes, two lines, since processors fetch them in pairs.)
 *
 * @param <E> what waits in it
 */
final class RingBuffer<E> {
    private static final VarHandle HEAD = handle("head");
    private static final VarHandle TAIL = handle("tail");

    private final AtomicReferenceArray<@Nullable E> places;
    private final int mask;

    @SuppressWarnings("unused")
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

    private volatile long head;

    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15;

    private volatile long tail;

    /**
     * An empty ring.
     *
     * @param least how many it has room for at least: the next power of two
     */
    RingBuffer(int least) {
        int room = Integer.highestOneBit(Math.max(1, least - 1)) << 1;
        places = new AtomicReferenceArray<>(room);
        mask = room - 1;
    }

    private static VarHandle handle(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(RingBuffer.class, field, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Puts one in; by one thread only. False when there is no room. */
    boolean offer(E one) {
        long at = (long) TAIL.get(this);
        int place = (int) at & mask;
        if (places.getAcquire(place) != null) {
            return false;
        }
        places.setPlain(place, one);
        // Seen by whoever takes before he sees that it is there; and before this thread looks whether anybody does.
        tail = at + 1;
        return true;
    }

    /** Takes the one that has waited longest; null when none does. */
    @Nullable
    E poll() {
        while (true) {
            long at = head;
            if (at >= tail) {
                return null;
            }
            if (HEAD.compareAndSet(this, at, at + 1)) {
                int place = (int) at & mask;
                E one = places.getAcquire(place);
                places.setRelease(place, null);
                return one;
            }
        }
    }

    boolean isEmpty() {
        return head >= tail;
    }

    /** How many wait, as well as a moving thing can be counted. */
    int size() {
        long first = head;
        return Math.clamp(tail - first, 0, capacity());
    }

    int capacity() {
        return mask + 1;
    }
}
