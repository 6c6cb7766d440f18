package dev.penstock.races.jmsflow;

import dev.penstock.dedupe.KeyRequest;
import dev.penstock.dedupe.Claim;
import dev.penstock.dedupe.IdempotencyStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A ledger whose leases are short, so that a round need not wait for those of a process that was killed: by default that is
 * the time a transaction had left, and 10 s. It changes when a doubt is settled, not whether.
 */
record ShortLease(IdempotencyStore ledger) implements IdempotencyStore {
    private static final Duration LEASE = Duration.ofSeconds(1);

    private static KeyRequest shortened(KeyRequest ask) {
        return new KeyRequest(ask.key(), ask.fingerprint(), ask.owner(), LEASE, ask.keep());
    }

    @Override
    public Claim claim(KeyRequest ask) throws Exception {
        return ledger.claim(shortened(ask));
    }

    @Override
    public Claim takeOver(KeyRequest ask, long before) throws Exception {
        return ledger.takeOver(shortened(ask), before);
    }

    @Override
    public boolean end(String key, long owner, byte[] ending, Duration keep) throws Exception {
        return ledger.end(key, owner, ending, keep);
    }

    @Override
    public void release(String key, long owner) throws Exception {
        ledger.release(key, owner);
    }

    @Override
    public @Nullable Claim find(String key) throws Exception {
        return ledger.find(key);
    }

    @Override
    public String where() {
        return ledger.where();
    }

    @Override
    public void close() {
        ledger.close();
    }
}
