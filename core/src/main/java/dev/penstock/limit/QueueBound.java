package dev.penstock.limit;

/**
 * A bound of the wait queue as it is now.
 *
 * @param value as a person writes it, with its unit
 * @param range what it may be
 * @param reason one sentence, with its numbers
 * @param pinned whether somebody has set it, so that it does not find itself
 */
public record QueueBound(String value, String range, String reason, boolean pinned) {}
