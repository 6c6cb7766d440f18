package dev.penstock.dedupe;

import dev.penstock.CallContext;
import dev.penstock.IdempotencyStore;
import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.Observation.Wait;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.dedupe.PendingWrites.PendingWrite;
import dev.penstock.meter.Timings;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads from and writes to a store, and keeps failed writes to retry them.
 *
 * <h2>Design note</h2>
 *
 * <p>When the store cannot be reached, nothing is sent. It is then uncertain whether the key was claimed, so the owner's
 * number is remembered: the next request with the key in this process claims it with the same number, and a claim that is not
 * used is released together with the next write.
 *
 * <p>An ending is written within a timeout of its own (5 s), whatever time its transaction has left, and also on an
 * interrupted thread, because the outcome is known and only has to be recorded. The caller waits for the write, so a caller
 * that has an answer can rely on getting it again for the same key. If the write fails, the caller gets its answer anyway.
 *
 * <p>Safe for many threads.
 */
final class StoreClient {
    private static final Logger LOG = LoggerFactory.getLogger("penstock.keys");
    private static final long WRITE_TIMEOUT_NANOS = Durations.nanos(Duration.ofSeconds(5));

    private final IdempotencyStore store;
    private final Duration keep;
    private final Ticker ticker;
    private final DedupeCounter counter;
    private final Part part;
    private final PendingWrites pendingWrites = new PendingWrites();
    private final Timings timings = new Timings();

    StoreClient(IdempotencyStore store, Duration keep, Ticker ticker, DedupeCounter counter) {
        this.store = store;
        this.keep = keep;
        this.ticker = ticker;
        this.counter = counter;
        this.part = Supervisor.current().part("dedupe-store", store.where());
    }

    /** Claims a key; an uncertain result counts as not granted. */
    Claim claim(KeyRequest ask, CallContext callContext) throws Rejected {
        try {
            return timed(() -> store.claim(ask), callContext);
        } catch (Throwable cannot) {
            if (!(cannot instanceof Rejected)) {
                pendingWrites.add(new PendingWrite(ask.key(), ask.fingerprint(), ask.owner(), null));
            }
            throw rejection(cannot, callContext);
        }
    }

    /** The state of a key; null when it is new. */
    @Nullable
    Claim find(String key, CallContext callContext) throws Rejected {
        try {
            return store.find(key);
        } catch (Throwable cannot) {
            throw rejection(cannot, callContext);
        } finally {
            callContext.tick();
        }
    }

    /**
     * Claims a key in place of its previous owner.
     *
     * @param recordedEnding the recorded unknown ending, which is restored if the result is uncertain
     * @return null when it is uncertain whether the claim was granted
     */
    @Nullable
    Claim takeOver(KeyRequest ask, long before, byte[] recordedEnding, CallContext callContext) {
        try {
            return timed(() -> store.takeOver(ask, before), callContext);
        } catch (Throwable cannot) {
            keepInterrupt(cannot);
            report(cannot);
            pendingWrites.add(new PendingWrite(ask.key(), ask.fingerprint(), ask.owner(), recordedEnding));
            return null;
        }
    }

    private Claim timed(Callable<Claim> question, CallContext callContext) throws Exception {
        long start = ticker.nanos();
        try {
            return question.call();
        } finally {
            long waited = callContext.tick() - start;
            timings.record(waited);
            callContext.waited(Wait.STORE, waited);
        }
    }

    private Rejected rejection(Throwable cannot, CallContext callContext) {
        keepInterrupt(cannot);
        report(cannot);
        if (Thread.currentThread().isInterrupted()) {
            return new Rejected(
                    Rejected.Cause.QUEUE, "the caller was interrupted while its key was claimed; nothing was sent");
        }
        boolean late = cannot instanceof Rejected rejected && rejected.why() == Rejected.Cause.DEADLINE;
        if (late || callContext.timeLeft() <= 0) {
            return new Rejected(Rejected.Cause.DEADLINE, "the deadline passed before its key was claimed");
        }
        counter.unavailable.increment();
        return new Rejected(
                Rejected.Cause.STORE,
                "the key could not be claimed in " + store.where() + " (" + reason(cannot) + "); nothing was sent",
                Duration.ofSeconds(1),
                cannot);
    }

    /** That of the store, since the breaker before it only reports that it is open. */
    private Object reason(Throwable cannot) {
        String outage = store.outage();
        return outage != null ? outage : cannot instanceof Error ? cannot : String.valueOf(cannot.getMessage());
    }

    private static void keepInterrupt(Throwable cannot) {
        if (cannot instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }

    /** Removes and returns the pending write of a key, which the caller must complete; null for none. */
    @Nullable
    PendingWrite takePending(String key) {
        return pendingWrites.take(key);
    }

    /**
     * Writes an outcome, and then one pending write, if any. A failed write becomes pending.
     *
     * @return whether the outcome was written
     */
    boolean write(PendingWrite write) {
        boolean written = tryWrite(write);
        PendingWrite other = written ? pendingWrites.takeAny() : null;
        if (other != null) {
            tryWrite(other);
        }
        return written;
    }

    private boolean tryWrite(PendingWrite write) {
        boolean interrupted = Thread.interrupted();
        CallContext callContext = CallContext.begin(ticker);
        callContext.allow(WRITE_TIMEOUT_NANOS);
        try {
            byte[] ending = write.ending();
            if (ending == null) {
                store.release(write.key(), write.owner());
            } else {
                reportIfLost(store.end(write.key(), write.owner(), ending, keep), write);
            }
            return true;
        } catch (Throwable cannot) { // an Error too: the ending is known, and would be lost with it
            report(cannot);
            interrupted |= cannot instanceof InterruptedException;
            counter.unwritten.increment();
            pendingWrites.add(write);
            return false;
        } finally {
            callContext.end();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Callers get their endings despite an Error, so it is reported here. */
    private void report(Throwable cannot) {
        if (cannot instanceof Error) {
            part.failedOnce("the write is retried later", cannot);
        }
    }

    /** Logs a write that found the key with another owner or removed; retrying it would not help. */
    private void reportIfLost(boolean written, PendingWrite write) {
        if (!written) {
            counter.unwritten.increment();
            LOG.error(
                    "the ending of key {} was not recorded in {}: its claim is gone, taken over by another process or removed;"
                            + " if it was removed, a duplicate with this key is sent again",
                    write.key(),
                    store.where());
        }
    }

    /** The times to claim a key, in nanoseconds. */
    Histogram times() {
        return timings.snapshot();
    }
}
