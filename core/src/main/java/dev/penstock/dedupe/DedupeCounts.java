package dev.penstock.dedupe;

/**
 * What came of the requests that bore a key. A copy that does not change.
 *
 * @param first how many were the first of their key, and were let through to the target
 * @param repeated how many were answered, or ended, from the ledger; nothing was sent for them
 * @param waited how many waited for the first of their key, in this process, and ended as it did
 * @param settled how many were let through, or asked for, because what became of an earlier one was unknown
 * @param refused how many had a key that another request has
 * @param unavailable how many were rejected because the ledger could not be asked
 * @param unwritten how many endings the ledger could not be told at once
 * @param waiting how many wait now
 */
public record DedupeCounts(
        long first,
        long repeated,
        long waited,
        long settled,
        long refused,
        long unavailable,
        long unwritten,
        long waiting) {
    /** All of it in one sentence. */
    public String sentence() {
        return "%d first of their key, %d repeats from the ledger, %d waited for a first, %d refused, %d wait"
                .formatted(first, repeated, waited, refused, waiting);
    }
}
