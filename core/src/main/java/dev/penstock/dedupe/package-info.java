/**
 * Deduplication by idempotency key: one transaction is sent per key, however often its request arrives, and duplicates get
 * the outcome of the first.
 *
 * <pre>
 *   request --no key, or read-only---------------------------------------------------> retry > ... > target
 *      | key
 *      v
 *   key in progress in this process? --yes--> wait, and end as the first request does
 *      | no: this is the first here
 *      v
 *   look the key up in the IdempotencyStore --new---------> retry > ... > limit > claim the key in the IdempotencyStore > target
 *      |        |        |     ^                                                                |
 *      |        |        |     +-- record ending and answer --------------------- answered, refused, unknown
 *      |        |        |     +-- release: the key is new again ---------------- rejected, other failures, busy
 *      |        |        +--ended---> the same ending, the same answer; nothing is sent
 *      |        +--in progress in another process---> wait for it
 *      +--its process died, or it ended as unknown---> unknown, unless a retry by key or a status probe resolves it
 * </pre>
 *
 * <p>The key is claimed once the permit is taken, before anything is sent. When the store cannot be reached, the request is
 * rejected and not sent. A different request with a key that is already used is refused.
 *
 * <p>Where to find what: {@link dev.penstock.Dedupe} is the configuration, {@link dev.penstock.dedupe.DedupeFilter} the filter.
 * {@link dev.penstock.IdempotencyStore} keeps the keys (in memory here; other implementations are in other modules). {@code
 * OutcomeCodec} converts endings to bytes and back, {@code PendingWrites} holds failed writes to the store. Threads race in
 * {@code InFlightKeys} and {@code InFlightKey}.
 *
 * <p>The idea is that of the Idempotency-Key header (IETF httpapi draft; Brandur Leach, "Implementing Stripe-like
 * Idempotency Keys in Postgres", 2017).
 */
@NullMarked
package dev.penstock.dedupe;

import org.jspecify.annotations.NullMarked;
