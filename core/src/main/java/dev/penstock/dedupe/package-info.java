/**
 * Carries a transaction once for each key, however often its request comes: who comes again is told what became of the first.
 *
 * <pre>
 *   request --no key, or it only reads-----------------------------------------------> retry > ... > target
 *      | key
 *      v
 *   one of this key under way here? --yes--> wait for it, and end as it does
 *      | no: this is the first here
 *      v
 *   look the key up in the IdempotencyStore --not there---> retry > ... > limit > claim the key in the IdempotencyStore > target
 *      |        |        |     ^                                                                |
 *      |        |        |     +-- ending, and answer --------------------------- answered, refused, unknown
 *      |        |        |     +-- release: the key is as new ------------------- rejected, other failures, busy
 *      |        |        +--ended---> the same ending, the same answer; nothing is sent
 *      |        +--runs in another process---> wait for it
 *      +--its process died, or it ended as unknown---> unknown, unless a retry by key or a status probe can tell
 * </pre>
 *
 * <p>The key is claimed when the permit is taken, before anything is sent. When the ledger cannot be reached, nothing is sent:
 * rejected. Another request with a key that is taken is refused.
 *
 * <p>The rooms: {@link dev.penstock.dedupe.Dedupe} is what users set, {@link dev.penstock.dedupe.IdempotencyStore} where keys are
 * kept ({@link dev.penstock.dedupe.InMemoryIdempotencyStore} in memory, others outside of this room), with {@link
 * dev.penstock.dedupe.KeyRequest} and {@link dev.penstock.dedupe.Claim} as its words; {@link dev.penstock.dedupe.DedupeFilter} is
 * the filter. Pure: {@code OutcomeCodec} turns endings into bytes and back, {@code PendingWrites} are what the ledger has still to be told.
 * {@code InFlightKeys} and {@code InFlightKey} are what threads race for. {@link dev.penstock.dedupe.DedupeCounts} tells what came of it all.
 *
 * <p>The idea is that of the Idempotency-Key header (IETF httpapi draft; Brandur Leach, "Implementing Stripe-like
 * Idempotency Keys in Postgres", 2017).
 */
@NullMarked
package dev.penstock.dedupe;

import org.jspecify.annotations.NullMarked;
