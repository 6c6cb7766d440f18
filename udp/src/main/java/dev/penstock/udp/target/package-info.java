/**
 * A UDP target: each request has an id that its answer repeats, and is sent again with the same id when no answer arrives.
 *
 * <pre>{@code
 * callers -> PendingCalls (by id) -> SendQueue (one thread sends for all) -> socket -> peer
 *                  ^                                                                    |
 *                  +-------------- AnswerReceiver (one thread, in batches) <-- socket <-+
 * }</pre>
 *
 * <p>{@code RoundTrip} is pure: it computes when an answer is overdue, by the rules of RFC 6298 (smoothing, doubling) and of
 * Karn (the answer to a request that was sent twice is not measured).
 */
@NullMarked
package dev.penstock.udp.target;

import org.jspecify.annotations.NullMarked;
