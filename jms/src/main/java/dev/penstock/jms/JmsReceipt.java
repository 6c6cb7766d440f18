package dev.penstock.jms;

import org.jspecify.annotations.Nullable;

/**
 * The result of a message that the broker accepted.
 *
 * @param messageId the id that the client set; null if the client sets none. A message that the broker dropped as a
 *     duplicate is answered too: then this is the id of the dropped message, not of the stored one
 */
public record JmsReceipt(@Nullable String messageId) {}
