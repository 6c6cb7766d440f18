package dev.penstock.collapse;

import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches that share a key one after another, in order of arrival. For each of its keys, a batch waits for the latest
 * earlier batch with that key. It is registered before it waits, and waits for earlier batches only, so there is no deadlock.
 * A batch that gives up waiting stays registered until the batches it waited for are back, so that no later batch overtakes
 * them.
 *
 * <p>Safe for many threads.
 */
public final class KeyGate {
    private final Object lock = new Object();
    private final Map<Object, Pass> last = new HashMap<>();
    private long entered;

    /** Creates a gate without batches. */
    public KeyGate() {}

    /** What a batch does when it is its turn. */
    @FunctionalInterface
    public interface Turn<R> {
        /** Sends the batch. */
        R take() throws Unanswered;
    }

    /**
     * Sends a batch when all earlier batches with a common key are back.
     *
     * @param keys the keys of its requests; null means no key
     * @param nanos the maximum wait in nanoseconds
     * @param others the earlier batches, for reasons: {@code an earlier batch with the same key}
     * @throws Rejected the batch was not sent: cause deadline, or cause queue for an interrupt of the thread
     */
    public <R> R inTurn(Collection<? extends @Nullable Object> keys, long nanos, String others, Turn<R> turn)
            throws Unanswered {
        try (Pass pass = enter(keys)) {
            if (!pass.await(nanos)) {
                throw new Rejected(Rejected.Cause.DEADLINE, "deadline exceeded while waiting for " + others);
            }
            return turn.take();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new Rejected(Rejected.Cause.QUEUE, "interrupted while waiting for " + others);
        }
    }

    /** The registration of a batch. Close it when the batch is back. */
    final class Pass implements AutoCloseable {
        private final Set<Object> keys;
        private final CompletableFuture<Void> before;
        private final CompletableFuture<Void> back = new CompletableFuture<>();

        private Pass(Set<Object> keys, CompletableFuture<Void> before) {
            this.keys = keys;
            this.before = before;
        }

        /**
         * Waits until all earlier batches with a common key are back.
         *
         * @param nanos the maximum wait in nanoseconds
         * @return false on timeout
         * @throws InterruptedException the calling thread was interrupted
         */
        boolean await(long nanos) throws InterruptedException {
            try {
                before.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
                return true;
            } catch (TimeoutException late) {
                return false;
            } catch (ExecutionException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        /** Lets batches that wait for this one proceed, once its own wait is over. Idempotent. */
        @Override
        public void close() {
            CompletableFuture<Void> _ = before.thenRun(this::leave);
        }

        private void leave() {
            synchronized (lock) {
                keys.forEach(key -> last.remove(key, this));
            }
            back.complete(null);
        }
    }

    /**
     * Registers a batch.
     *
     * @param keys the keys of its requests; null means no key
     */
    Pass enter(Collection<? extends @Nullable Object> keys) {
        Set<Object> own = new LinkedHashSet<>();
        for (Object key : keys) {
            if (key != null) {
                own.add(key);
            }
        }
        synchronized (lock) {
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
        }
    }

    /** The number of batches registered so far. */
    public long entered() {
        synchronized (lock) {
            return entered;
        }
    }

    /** The number of keys of batches that are not back yet. */
    int keysOut() {
        synchronized (lock) {
            return last.size();
        }
    }
}
