package dev.penstock.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The id by which an Artemis broker detects duplicates: the value of the message's key property, so that a retry has
 * the same id. A message without a key gets a new id, which detects repeats by the client or by a cluster of brokers.
 *
 * @param key the key property; null for none
 * @param kind over AMQP the broker's type is unknown, so only messages with a key get an id
 */
record DuplicateId(@Nullable String key, JmsBroker.Kind kind) {
    /** Artemis's property for duplicate detection. */
    static final String PROPERTY = "_AMQ_DUPL_ID";

    /**
     * Sets the id, unless the message has one already.
     *
     * @param fresh whether a message without a key gets a new id
     */
    void set(Message message, JmsMessage from, boolean fresh) throws JMSException {
        if (from.properties().containsKey(PROPERTY)) {
            return;
        }
        String value = key == null ? null : from.key(key);
        if (value != null) {
            message.setStringProperty(PROPERTY, value);
        } else if (fresh && kind == JmsBroker.Kind.ARTEMIS) {
            message.setStringProperty(PROPERTY, UUID.randomUUID().toString());
        }
    }
}
