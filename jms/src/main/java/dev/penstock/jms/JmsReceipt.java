package dev.penstock.jms;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a message that the broker has taken.
 *
 * @param messageId the id that the client gave it; null where the client gives none. A message that the broker had already,
 *     by its duplicate id, is answered too: then this is the id of the attempt, not of the message that is there
 */
public record JmsReceipt(@Nullable String messageId) {}
