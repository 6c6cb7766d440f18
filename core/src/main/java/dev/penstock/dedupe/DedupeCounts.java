package dev.penstock.dedupe;

/**
 * Counts of requests with a key, by outcome. An immutable snapshot.
 *
 * @param first requests that were the first with their key and claimed it
 * @param duplicates requests that got their ending from the store, without being sent
 * @param waited requests that waited for the first one with their key in this process, and ended as it did
 * @param settled requests that were sent, or whose status was asked, because an earlier one with their key ended as unknown
 * @param refused requests whose key was used for a different request
 * @param unavailable requests that were rejected because the store could not be reached
 * @param unwritten endings that could not be written to the store at once
 * @param waiting requests that wait now
 */
public record DedupeCounts(
        long first,
        long duplicates,
        long waited,
        long settled,
        long refused,
        long unavailable,
        long unwritten,
        long waiting) {
    /** The counts in one sentence. */
    public String sentence() {
        return "%d first requests of a key, %d duplicates ended from the store, %d waited for the first, %d refused, %d waiting"
                .formatted(first, duplicates, waited, refused, waiting);
    }
}
