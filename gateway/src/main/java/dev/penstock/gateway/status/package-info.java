/**
 * Stores what became of a transaction: of one that was answered with 202 before it was processed, and of one with an
 * idempotency key.
 */
@NullMarked
package dev.penstock.gateway.status;

import org.jspecify.annotations.NullMarked;
