package dev.penstock;

import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** See {@link IdempotencyStore#inMemory(int)}. Safe for many threads. */
final class InMemoryIdempotencyStore implements IdempotencyStore {
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Row(String fingerprint, long owner, long leaseUntil, long keptUntil, byte @Nullable [] ending) {}

    private final int maxKeys;
    private final Ticker ticker;
    private final Map<String, Row> rows = new HashMap<>();

    InMemoryIdempotencyStore(int maxKeys, Ticker ticker) {
        this.maxKeys = Ranges.within("the keys of a store", maxKeys, 1, Integer.MAX_VALUE);
        this.ticker = ticker;
    }

    @Override
    public synchronized Claim claim(KeyRequest ask) {
        long now = ticker.nanos();
        Row row = rows.get(ask.key());
        boolean mine = row != null && row.owner() == ask.owner() && row.ending() == null;
        if (row != null && !mine && now - row.keptUntil() < 0) {
            return toClaim(row, now);
        }
        if (row == null && rows.size() >= maxKeys) {
            evictExpired(now);
        }
        return grant(ask, now);
    }

    @Override
    public synchronized Claim takeOver(KeyRequest ask, long before) {
        long now = ticker.nanos();
        Row row = rows.get(ask.key());
        if (row == null || row.owner() != before || toClaim(row, now) instanceof Claim.Running) {
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

    private static Claim toClaim(Row row, long now) {
        byte[] ending = row.ending();
        if (ending != null) {
            return new Claim.Ended(row.fingerprint(), row.owner(), ending);
        }
        long left = row.leaseUntil() - now;
        return left > 0
                ? new Claim.Running(row.fingerprint(), Duration.ofNanos(left))
                : new Claim.Lapsed(row.fingerprint(), row.owner());
    }

    private void evictExpired(long now) {
        rows.values().removeIf(row -> now - row.keptUntil() >= 0);
        if (rows.size() >= maxKeys) {
            throw new IllegalStateException("the store holds " + maxKeys
                    + " keys, its maximum; keep keys for a shorter time, or raise the maximum");
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
        return row == null || now - row.keptUntil() >= 0 ? null : toClaim(row, now);
    }

    @Override
    public String where() {
        return "memory, at most " + maxKeys + " keys";
    }

    @Override
    public void close() {}
}
