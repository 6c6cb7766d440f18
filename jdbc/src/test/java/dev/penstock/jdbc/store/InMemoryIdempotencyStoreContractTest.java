package dev.penstock.jdbc.store;

import dev.penstock.dedupe.IdempotencyStore;
import dev.penstock.dedupe.InMemoryIdempotencyStore;

/** The store in memory behaves as those in databases. */
class InMemoryIdempotencyStoreContractTest extends IdempotencyStoreContract {
    private final InMemoryIdempotencyStore store = InMemoryIdempotencyStore.of(10_000);

    @Override
    IdempotencyStore one() {
        return store;
    }

    @Override
    IdempotencyStore other() {
        return store;
    }
}
