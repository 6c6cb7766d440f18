package dev.penstock.dedupe;

import dev.penstock.Durations;
import dev.penstock.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keys in the memory of this process: for tests, and for who wants no more than that the same key does not go twice while the
 * process lives. Holds a bounded number of keys; when it is full of keys that are still to be kept, it grants no new ones, so
 * that nothing goes unprotected.
 *
 * <p>Safe for many threads.
 */
public final class InMemoryIdempotencyStore implements IdempotencyStore {
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record Row(String fingerprint, long owner, long leaseUntil, long keptUntil, byte @Nullable [] ending) {}

    private final int most;
    private final Ticker ticker;
    private final Map<String, Row> rows = new HashMap<>();

    private InMemoryIdempotencyStore(int most, Ticker ticker) {
        if (most < 1) {
            throw new IllegalArgumentException("a ledger holds 1 key or more, not " + most);
        }
        this.most = most;
        this.ticker = ticker;
    }

    /**
     * An empty ledger.
     *
     * @param most how many keys it holds at most; 1 or more
     * @throws IllegalArgumentException when out of range
     */
    public static InMemoryIdempotencyStore of(int most) {
        return of(most, Ticker.SYSTEM);
    }

    /**
     * An empty ledger.
     *
     * @param most how many keys it holds at most; 1 or more
     * @param ticker the clock that leases go by
     * @throws IllegalArgumentException when out of range
     */
    public static InMemoryIdempotencyStore of(int most, Ticker ticker) {
        return new InMemoryIdempotencyStore(most, ticker);
    }

    @Override
    public synchronized Claim claim(KeyRequest ask) {
        long now = ticker.nanos();
        Row row = rows.get(ask.key());
        boolean mine = row != null && row.owner() == ask.owner() && row.ending() == null;
        if (row != null && !mine && now - row.keptUntil() < 0) {
            return stands(row, now);
        }
        if (row == null && rows.size() >= most) {
            makeRoom(now);
        }
        return grant(ask, now);
    }

    @Override
    public synchronized Claim takeOver(KeyRequest ask, long before) {
        long now = ticker.nanos();
        Row row = rows.get(ask.key());
        if (row == null || row.owner() != before || stands(row, now) instanceof Claim.Running) {
            return claim(ask);
        }
        return grant(ask, now);
    }

    private Claim grant(KeyRequest ask, long now) {
        long leaseUntil = now + Durations.nanos(ask.lease());
        rows.put(
                ask.key(),
                new Row(ask.fingerprint(), ask.owner(), leaseUntil, leaseUntil + Durations.nanos(ask.keep()), null));
        return new Claim.Claimed();
    }

    private static Claim stands(Row row, long now) {
        byte[] ending = row.ending();
        if (ending != null) {
            return new Claim.Ended(row.fingerprint(), row.owner(), ending);
        }
        long left = row.leaseUntil() - now;
        return left > 0
                ? new Claim.Running(row.fingerprint(), Duration.ofNanos(left))
                : new Claim.Lapsed(row.fingerprint(), row.owner());
    }

    private void makeRoom(long now) {
        rows.values().removeIf(row -> now - row.keptUntil() >= 0);
        if (rows.size() >= most) {
            throw new IllegalStateException("it holds " + most
                    + " keys, as many as it may; keep them for a shorter time, or give it room for more");
        }
    }

    @Override
    public synchronized boolean end(String key, long owner, byte[] ending, Duration keep) {
        Row row = rows.get(key);
        if (row == null || row.owner() != owner) {
            return false;
        }
        long keptUntil = ticker.nanos() + Durations.nanos(keep);
        rows.put(key, new Row(row.fingerprint(), owner, row.leaseUntil(), keptUntil, ending));
        return true;
    }

    @Override
    public synchronized void release(String key, long owner) {
        rows.computeIfPresent(key, (same, row) -> row.owner() == owner && row.ending() == null ? null : row);
    }

    @Override
    public synchronized @Nullable Claim find(String key) {
        long now = ticker.nanos();
        Row row = rows.get(key);
        return row == null || now - row.keptUntil() >= 0 ? null : stands(row, now);
    }

    /** How many keys it holds, also those whose time is up. */
    public synchronized int size() {
        return rows.size();
    }

    @Override
    public String where() {
        return "memory, at most " + most + " keys";
    }

    @Override
    public void close() {}
}
