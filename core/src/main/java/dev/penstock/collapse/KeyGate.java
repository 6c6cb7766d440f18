package dev.penstock.collapse;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets batches pass in the order in which they came, as far as they have a key in common. Each waits for the last one before
 * it that has one of its keys, for each of them; it is in the book before it waits, and waits for older ones only, so no two
 * wait for each other. Who gives up while it waits stays in the book until those are back whom it waited for, so that nobody
 * passes them behind its back.
 *
 * <p>Safe for many threads.
 */
public final class KeyGate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Object, Pass> last = new HashMap<>();
    private long entered;

    /** A gate that nobody has come to. */
    public KeyGate() {}

    /** A batch that has come. To be closed when it is back. */
    public final class Pass implements AutoCloseable {
        private final Set<Object> keys;
        private final CompletableFuture<Void> before;
        private final CompletableFuture<Void> back = new CompletableFuture<>();

        private Pass(Set<Object> keys, CompletableFuture<Void> before) {
            this.keys = keys;
            this.before = before;
        }

        /**
         * Waits for its turn.
         *
         * @param nanos how long at most
         * @return whether it came in time
         * @throws InterruptedException the calling thread was interrupted
         */
        public boolean await(long nanos) throws InterruptedException {
            try {
                before.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
                return true;
            } catch (TimeoutException late) {
                return false;
            } catch (ExecutionException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        /** Lets those pass who wait for it, as soon as it had its own turn. Does nothing the second time. */
        @Override
        public void close() {
            CompletableFuture<Void> _ = before.thenRun(this::leave);
        }

        private void leave() {
            lock.lock();
            try {
                keys.forEach(key -> last.remove(key, this));
            } finally {
                lock.unlock();
            }
            back.complete(null);
        }
    }

    /**
     * Enters a batch.
     *
     * @param keys those of its requests; null is no key, and waits for nobody
     */
    public Pass enter(Collection<? extends @Nullable Object> keys) {
        Set<Object> own = new LinkedHashSet<>();
        for (Object key : keys) {
            if (key != null) {
                own.add(key);
            }
        }
        lock.lock();
        try {
            Set<CompletableFuture<Void>> before = new LinkedHashSet<>();
            for (Object key : own) {
                Pass older = last.get(key);
                if (older != null) {
                    before.add(older.back);
                }
            }
            Pass pass = new Pass(own, CompletableFuture.allOf(before.toArray(new CompletableFuture<?>[0])));
            own.forEach(key -> last.put(key, pass));
            entered++;
            return pass;
        } finally {
            lock.unlock();
        }
    }

    /** How many batches have come. */
    public long entered() {
        lock.lock();
        try {
            return entered;
        } finally {
            lock.unlock();
        }
    }

    /** How many keys are out. */
    public int keysOut() {
        lock.lock();
        try {
            return last.size();
        } finally {
            lock.unlock();
        }
    }
}
