/**
 * Datagrams as calls: each request has an id, by which its answer finds it, and is sent again under the same id when none came.
 *
 * <pre>
 * callers -> Waiting (who waits for which id) -> Outbox (who finds it free sends for all) -> socket -> peer
 *                  ^                                                                                   |
 *                  +------------------------ Answers (one thread, in batches) <-- socket <-------------+
 * </pre>
 *
 * <p>{@link dev.penstock.udp.target.RoundTrip} is pure: it says when an answer is overdue, by the rules of RFC 6298 (smoothing,
 * doubling) and of Karn (an answer to what was sent twice measures nothing).
 */
@NullMarked
package dev.penstock.udp.target;

import org.jspecify.annotations.NullMarked;
