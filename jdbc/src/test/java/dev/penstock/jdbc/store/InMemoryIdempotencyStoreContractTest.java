package dev.penstock.jdbc.store;

import dev.penstock.IdempotencyStore;

/** The store in memory behaves as those in databases. */
class InMemoryIdempotencyStoreContractTest extends IdempotencyStoreContract {
    private final IdempotencyStore store = IdempotencyStore.inMemory(10_000);

    @Override
    IdempotencyStore one() {
        return store;
    }

    @Override
    IdempotencyStore other() {
        return store;
    }
}
