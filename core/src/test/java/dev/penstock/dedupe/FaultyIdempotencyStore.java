package dev.penstock.dedupe;

import dev.penstock.IdempotencyStore;
import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.kit.ManualTicker;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A store in memory that can be made to throw before it does what it is asked, or after. */
final class FaultyIdempotencyStore implements IdempotencyStore {
    enum Fault {
        NONE,
        BEFORE,
        AFTER,
        /** As the other two, by an Error, as of a driver whose jar is not complete. */
        ERROR_BEFORE,
        ERROR_AFTER
    }

    final IdempotencyStore inner;
    volatile Fault asking = Fault.NONE;
    /** Of claims alone, where it is not NONE. */
    volatile Fault claiming = Fault.NONE;

    /** Of takeovers alone, where it is not NONE. */
    volatile Fault takingOver = Fault.NONE;

    volatile Fault telling = Fault.NONE;
    /** Whether the row of each key is gone when its ending comes. */
    volatile boolean gone;
    /** How many looks find nothing, as if others claimed right after each. */
    final AtomicInteger blindLooks = new AtomicInteger();

    FaultyIdempotencyStore(ManualTicker ticker) {
        inner = IdempotencyStore.inMemory(1_000, ticker);
    }

    private interface Deed<T extends @Nullable Object> {
        T done() throws Exception;
    }

    private static <T extends @Nullable Object> T with(Fault fault, Deed<T> deed) throws Exception {
        if (fault == Fault.BEFORE) {
            throw new SQLException("down");
        }
        if (fault == Fault.ERROR_BEFORE) {
            throw new NoClassDefFoundError("down");
        }
        T done = deed.done();
        if (fault == Fault.ERROR_AFTER) {
            throw new NoClassDefFoundError("cut off");
        }
        if (fault == Fault.AFTER) {
            throw new SQLException("cut off");
        }
        return done;
    }

    @Override
    public Claim claim(KeyRequest ask) throws Exception {
        return with(claiming == Fault.NONE ? asking : claiming, () -> inner.claim(ask));
    }

    @Override
    public Claim takeOver(KeyRequest ask, long before) throws Exception {
        return with(takingOver == Fault.NONE ? asking : takingOver, () -> inner.takeOver(ask, before));
    }

    @Override
    public boolean end(String key, long owner, byte[] ending, Duration keep) throws Exception {
        return with(telling, () -> !gone && inner.end(key, owner, ending, keep));
    }

    @Override
    public void release(String key, long owner) throws Exception {
        with(telling, () -> {
            inner.release(key, owner);
            return true;
        });
    }

    @Override
    public @Nullable Claim find(String key) throws Exception {
        return blindLooks.getAndUpdate(left -> Math.max(0, left - 1)) > 0 ? null : with(asking, () -> inner.find(key));
    }

    @Override
    public String where() {
        return "a faulty store";
    }

    @Override
    public void close() {}
}
