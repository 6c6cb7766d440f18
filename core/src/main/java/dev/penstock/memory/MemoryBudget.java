package dev.penstock.memory;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.text.Sizes;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Limits the bytes that transactions hold in memory: request bodies, answers, messages and batches. Each transaction has a
 * {@link Lease}, which takes bytes before a buffer grows and releases all of them at the end.
 *
 * <p>A quarter of the budget is reserved for small bodies: the first {@value #SMALL_BYTES} bytes of each lease come from it, all
 * further bytes from the rest. So clients with large bodies, however many, leave memory for those with small ones.
 *
 * <p>Counts in units of 1 KiB, rounded up. Thread-safe.
 */
public final class MemoryBudget {
    /** The bytes of each lease that come from the part for small bodies. */
    public static final int SMALL_BYTES = 8 << 10;

    /** The smallest budget: 1 MiB. */
    public static final long LEAST = 1 << 20;

    private static final int UNIT = 1 << 10;
    private static final int SMALL_UNITS = SMALL_BYTES / UNIT;
    private static final int PART_OF_HEAP = 4;
    private static final int PART_FOR_SMALL = 4;
    private static final int CLOSED = -1;
    private static final MemoryBudget OF_PROCESS = auto();
    private static final ScopedValue<MemoryBudget> CURRENT = ScopedValue.newInstance();

    private final Setting setting;
    private final int units;
    private final Units small;
    private final Units large;
    private final LongAdder refused = new LongAdder();
    private final List<Runnable> reliefs = new CopyOnWriteArrayList<>();

    private MemoryBudget(long bytes, Setting setting) {
        this.setting = setting;
        this.units = (int) Math.min(Integer.MAX_VALUE, bytes / UNIT);
        int smallUnits = units / PART_FOR_SMALL;
        this.small = new Units(smallUnits);
        this.large = new Units(units - smallUnits);
    }

    /** A budget of a quarter of the maximum heap ({@code -Xmx}), since copying a body may need several times its size. */
    public static MemoryBudget auto() {
        long heap = Runtime.getRuntime().maxMemory();
        long bytes = Math.max(LEAST, heap / PART_OF_HEAP);
        String reason = "bodies and answers in memory; a quarter of the heap of " + megabytes(heap) + " (-Xmx)";
        return new MemoryBudget(bytes, setting(megabytes(bytes), reason, Origin.DEFAULT));
    }

    /**
     * A budget of a given size in bytes.
     *
     * @throws IllegalArgumentException when it is below {@link #LEAST}
     */
    public static MemoryBudget of(long bytes) {
        if (bytes < LEAST) {
            throw new IllegalArgumentException("memory: " + bytes + " bytes are too few; the minimum is " + LEAST);
        }
        return new MemoryBudget(
                bytes,
                setting(Sizes.format(bytes), "bodies and answers in memory, of all flows together", Origin.GIVEN));
    }

    private static Setting setting(String value, String reason, Origin origin) {
        return new Setting(
                "memory", value, "1MB..1TB", reason, InstantSource.system().instant(), origin);
    }

    private static String megabytes(long bytes) {
        return (bytes >> 20) + "MB";
    }

    /** The size of the budget as a setting. */
    public Setting setting() {
        return setting;
    }

    /**
     * The budget for objects that this thread builds now: that of {@link #whileCurrent}, otherwise one shared by the whole
     * process with the size of {@link #auto}. Read it in a constructor and store it: threads started later do not inherit it.
     */
    public static MemoryBudget current() {
        return CURRENT.orElse(OF_PROCESS);
    }

    /** Runs a task on this thread; {@link #current} returns this budget meanwhile. */
    public <T, X extends Throwable> T whileCurrent(ScopedValue.CallableOp<T, X> work) throws X {
        return ScopedValue.where(CURRENT, this).call(work);
    }

    /** The maximum number of bytes that all transactions may hold. */
    public long limit() {
        return (long) units * UNIT;
    }

    /** The bytes held now; may exceed the limit, since {@link Lease#holdAtLeast} counts bytes already in memory. */
    public long used() {
        return limit() - ((long) small.availablePermits() + large.availablePermits()) * UNIT;
    }

    /** How often a lease was refused memory. */
    public long refused() {
        return refused.sum();
    }

    /** The maximum number of bytes that one transaction can get. */
    public long largest() {
        return ((long) units - units / PART_FOR_SMALL) * UNIT;
    }

    /**
     * Registers an action that runs when memory is short, on the thread that needs memory. It should end transactions that
     * hold memory for no good reason, and must return quickly. It runs often while memory is short.
     *
     * @return removes the action
     */
    public Runnable whenScarce(Runnable action) {
        reliefs.add(action);
        return () -> reliefs.remove(action);
    }

    /** An empty lease. */
    public Lease lease() {
        return new Lease();
    }

    /** The memory that one transaction holds. Thread-safe: requests after {@link #close} are refused. */
    public final class Lease implements AutoCloseable {
        private final AtomicInteger held = new AtomicInteger();

        private Lease() {}

        /**
         * Takes bytes if they are free now. Not counted in {@link MemoryBudget#refused}.
         *
         * @return false, and none taken, when they are not free, or after {@link #close}
         */
        public boolean tryTake(long bytes) {
            try {
                return take(bytes, 0);
            } catch (InterruptedException e) {
                throw new IllegalStateException("it does not wait", e);
            }
        }

        /**
         * Takes bytes; waits for them if necessary.
         *
         * @param nanos the maximum wait, in nanoseconds
         * @return false, and none taken, when they did not become free in time, or after {@link #close}
         * @throws InterruptedException when interrupted while waiting; none taken
         */
        public boolean tryTake(long bytes, long nanos) throws InterruptedException {
            if (take(bytes, 0)) {
                return true;
            }
            reliefs.forEach(Runnable::run);
            if (take(bytes, nanos)) {
                return true;
            }
            refused.increment();
            return false;
        }

        private boolean take(long bytes, long nanos) throws InterruptedException {
            int more = unitsOf(bytes);
            int before = held.get();
            if (before == CLOSED || more > units) {
                return false;
            }
            int ofSmall = smallOf(before + more) - smallOf(before);
            if (!small.tryAcquire(ofSmall, nanos)) {
                return false;
            }
            boolean done = false;
            try {
                done = large.tryAcquire(more - ofSmall, nanos);
            } finally {
                if (!done) {
                    small.release(ofSmall);
                }
            }
            return done && record(before, more);
        }

        /** Only one thread takes bytes at a time, but another may close the lease meanwhile. */
        private boolean record(int before, int more) {
            if (held.compareAndSet(before, before + more)) {
                return true;
            }
            release(before, before + more);
            return false;
        }

        /** Counts bytes that are already in memory, so that at least this many are held; never refused. */
        public void holdAtLeast(long bytes) {
            int before = held.get();
            int after = unitsOf(bytes);
            if (before == CLOSED || after <= before) {
                return;
            }
            int ofSmall = smallOf(after) - smallOf(before);
            small.reducePermits(ofSmall);
            large.reducePermits(after - before - ofSmall);
            boolean _ = record(before, after - before);
        }

        /** The bytes held; 0 after {@link #close}. */
        public long held() {
            return (long) Math.max(0, held.get()) * UNIT;
        }

        /** Releases all bytes. Idempotent. */
        @Override
        public void close() {
            int all = held.getAndSet(CLOSED);
            if (all > 0) {
                release(0, all);
            }
        }

        private void release(int from, int to) {
            int ofSmall = smallOf(to) - smallOf(from);
            small.release(ofSmall);
            large.release(to - from - ofSmall);
        }
    }

    private static int unitsOf(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE / 2, (bytes + UNIT - 1) / UNIT);
    }

    private static int smallOf(int total) {
        return Math.min(total, SMALL_UNITS);
    }

    /** A semaphore whose permits may become negative. */
    private static final class Units extends Semaphore {
        private static final long serialVersionUID = 1L;

        Units(int permits) {
            super(permits);
        }

        @Override
        protected void reducePermits(int reduction) {
            super.reducePermits(reduction);
        }

        boolean tryAcquire(int permits, long nanos) throws InterruptedException {
            return permits == 0
                    || tryAcquire(permits)
                    || (nanos > 0 && tryAcquire(permits, nanos, TimeUnit.NANOSECONDS));
        }
    }
}
