package dev.penstock.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The id by which an Artemis broker knows a message that it has already: the value of the message's key, so that a repeat
 * has it too; else a fresh one, for what a client or a cluster of brokers repeats by itself.
 *
 * @param key the property that is the key; null for none
 * @param kind over AMQP nobody knows what broker it is, so there only what has a key is given an id
 */
record DuplicateId(@Nullable String key, JmsBroker.Kind kind) {
    /** The property, as Artemis calls it. */
    static final String PROPERTY = "_AMQ_DUPL_ID";

    /**
     * Sets it, unless the message has one of its own.
     *
     * @param fresh whether one that has no key is to have one
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
