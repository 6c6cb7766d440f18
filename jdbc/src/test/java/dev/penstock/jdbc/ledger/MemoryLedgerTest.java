package dev.penstock.jdbc.ledger;

import dev.penstock.dedupe.IdempotencyStore;
import dev.penstock.dedupe.InMemoryIdempotencyStore;

/** The ledger in memory does what those in databases do. */
class MemoryLedgerTest extends LedgerContract {
    private final InMemoryIdempotencyStore ledger = InMemoryIdempotencyStore.of(10_000);

    @Override
    IdempotencyStore one() {
        return ledger;
    }

    @Override
    IdempotencyStore other() {
        return ledger;
    }
}
