package dev.penstock.jdbc.ledger;

import dev.penstock.dedupe.KeyLedger;
import dev.penstock.dedupe.MemoryKeyLedger;

/** The ledger in memory does what those in databases do. */
class MemoryLedgerTest extends LedgerContract {
    private final MemoryKeyLedger ledger = MemoryKeyLedger.of(10_000);

    @Override
    KeyLedger one() {
        return ledger;
    }

    @Override
    KeyLedger other() {
        return ledger;
    }
}
