package dev.penstock.limit;

/**
 * The current value of a bound of the wait queue.
 *
 * @param value the formatted value, with its unit
 * @param range the allowed values
 * @param reason one sentence, with numbers
 * @param pinned whether it was set by a person and does not adapt
 */
public record QueueBound(String value, String range, String reason, boolean pinned) {}
