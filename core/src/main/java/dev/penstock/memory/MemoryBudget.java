package dev.penstock.memory;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Sizes;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Limits how many bytes transactions hold in memory: bodies of requests, answers, messages and batches. Each transaction has a
 * {@link Lease}, which takes bytes before a buffer grows and gives all of them back at its end.
 *
 * <p>A quarter of the budget is kept for small bodies: the first {@value #SMALL_BYTES} bytes of each lease come from it, all
 * further bytes from the rest. So clients with large bodies, however many, leave memory for those with small ones.
 *
 * <p>Counts in units of 1 KiB, rounded up. Safe for many threads.
 */
public final class MemoryBudget {
    /** Bytes of each lease that come from the part for small bodies. */
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

    /** A budget of a quarter of the largest heap ({@code -Xmx}), since a body may need several times its size while it is copied. */
    public static MemoryBudget auto() {
        long heap = Runtime.getRuntime().maxMemory();
        long bytes = Math.max(LEAST, heap / PART_OF_HEAP);
        String reason = "bodies and answers in memory; a quarter of the heap of " + megabytes(heap) + " (-Xmx)";
        return new MemoryBudget(bytes, setting(megabytes(bytes), reason, Origin.DEFAULT));
    }

    /**
     * A budget of so many bytes.
     *
     * @throws IllegalArgumentException when it is below {@link #LEAST}
     */
    public static MemoryBudget of(long bytes) {
        if (bytes < LEAST) {
            throw new IllegalArgumentException("memory: " + bytes + " bytes are too few, the least is " + LEAST);
        }
        return new MemoryBudget(
                bytes, setting(Sizes.words(bytes), "bodies and answers in memory, of all flows together", Origin.FILE));
    }

    private static Setting setting(String value, String reason, Origin origin) {
        return new Setting(
                "memory", value, "1MB..1TB", reason, InstantSource.system().instant(), origin);
    }

    private static String megabytes(long bytes) {
        return (bytes >> 20) + "MB";
    }

    /** Its size, and where it comes from. */
    public Setting setting() {
        return setting;
    }

    /**
     * The budget of what this thread builds now: the one of {@link #whileCurrent}, otherwise one that the whole process shares, of
     * the size of {@link #auto}. Read it in a constructor and keep it: threads that are started later do not inherit it.
     */
    public static MemoryBudget current() {
        return CURRENT.orElse(OF_PROCESS);
    }

    /** Runs work on this thread; {@link #current} returns this budget meanwhile. */
    public <T, X extends Throwable> T whileCurrent(ScopedValue.CallableOp<T, X> work) throws X {
        return ScopedValue.where(CURRENT, this).call(work);
    }

    /** How many bytes transactions may hold together. */
    public long limit() {
        return (long) units * UNIT;
    }

    /** How many bytes transactions hold now; above the limit when {@link Lease#holdAtLeast} counted what was there already. */
    public long used() {
        return limit() - ((long) small.availablePermits() + large.availablePermits()) * UNIT;
    }

    /** How often memory was refused. */
    public long refused() {
        return refused.sum();
    }

    /** The most bytes that one transaction can get. */
    public long largest() {
        return ((long) units - units / PART_FOR_SMALL) * UNIT;
    }

    /**
     * Runs work on the thread of whoever lacks memory: it should end transactions that hold memory for no good reason, and
     * return at once. It runs often while memory is scarce.
     *
     * @return removes the work again
     */
    public Runnable whenScarce(Runnable work) {
        reliefs.add(work);
        return () -> reliefs.remove(work);
    }

    /** A lease of no bytes yet. */
    public Lease lease() {
        return new Lease();
    }

    /** What one transaction holds. Safe for many threads: bytes that arrive after it was closed are refused. */
    public final class Lease implements AutoCloseable {
        private final AtomicInteger held = new AtomicInteger();

        private Lease() {}

        /** Takes bytes if they are free now. False, and none taken, when they are not, or after {@link #close}. Not counted. */
        public boolean tryTake(long bytes) {
            try {
                return take(bytes, 0);
            } catch (InterruptedException e) {
                throw new IllegalStateException("it does not wait", e);
            }
        }

        /**
         * Takes bytes, and waits for them if need be.
         *
         * @param nanos how long to wait
         * @return false, and none taken, when they did not come free in time, or after {@link #close}
         * @throws InterruptedException when interrupted while it waited; none taken
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

        /** Only one thread takes at a time; another may close it meanwhile. */
        private boolean record(int before, int more) {
            if (held.compareAndSet(before, before + more)) {
                return true;
            }
            giveBack(before, before + more);
            return false;
        }

        /** Counts what is in memory already, so that so many bytes at least are held; never refused. */
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

        /** How many bytes it holds; 0 after {@link #close}. */
        public long held() {
            return (long) Math.max(0, held.get()) * UNIT;
        }

        /** Gives all back. Does nothing the second time. */
        @Override
        public void close() {
            int all = held.getAndSet(CLOSED);
            if (all > 0) {
                giveBack(0, all);
            }
        }

        private void giveBack(int from, int to) {
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

    /** A semaphore that may go below zero. */
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
