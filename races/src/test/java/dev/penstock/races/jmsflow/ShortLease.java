package dev.penstock.races.jmsflow;

import dev.penstock.IdempotencyStore;
import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An idempotency store with short leases, so that a round need not wait for those of a killed process: by default a
 * lease is the transaction's remaining time plus 10 s. This changes when an unknown ending is settled, not whether.
 */
record ShortLease(IdempotencyStore store) implements IdempotencyStore {
    private static final Duration LEASE = Duration.ofSeconds(1);

    private static KeyRequest shortened(KeyRequest ask) {
        return new KeyRequest(ask.key(), ask.fingerprint(), ask.owner(), LEASE, ask.keep());
    }

    @Override
    public Claim claim(KeyRequest ask) throws Exception {
        return store.claim(shortened(ask));
    }

    @Override
    public Claim takeOver(KeyRequest ask, long before) throws Exception {
        return store.takeOver(shortened(ask), before);
    }

    @Override
    public boolean end(String key, long owner, byte[] ending, Duration keep) throws Exception {
        return store.end(key, owner, ending, keep);
    }

    @Override
    public void release(String key, long owner) throws Exception {
        store.release(key, owner);
    }

    @Override
    public @Nullable Claim find(String key) throws Exception {
        return store.find(key);
    }

    @Override
    public String where() {
        return store.where();
    }

    @Override
    public void close() {
        store.close();
    }
}
