package dev.penstock.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns messages into those of a client, and back. */
final class Messages {
    /** What only a client or a broker may set. */
    private static final Set<String> NOT_OURS = Set.of(
            "JMSXDeliveryCount",
            "JMSXUserID",
            "JMSXAppID",
            "JMSXProducerTXID",
            "JMSXConsumerTXID",
            "JMSXRcvTimestamp",
            "JMSXState");

    private Messages() {}

    /**
     * A message to send.
     *
     * @throws JMSException the client will not have it so
     */
    static Message write(Session session, JmsMessage from) throws JMSException {
        Message to = from.isText() ? session.createTextMessage(from.text()) : bytes(session, from.body());
        for (Map.Entry<String, Object> property : from.properties().entrySet()) {
            if (!NOT_OURS.contains(property.getKey())) {
                set(to, property.getKey(), property.getValue());
            }
        }
        if (from.correlationId() != null) {
            to.setJMSCorrelationID(from.correlationId());
        }
        if (from.type() != null) {
            to.setJMSType(from.type());
        }
        if (from.replyTo() != null) {
            to.setJMSReplyTo(from.replyTo());
        }
        return to;
    }

    private static void set(Message to, String name, Object value) throws JMSException {
        try {
            to.setObjectProperty(name, value);
        } catch (RuntimeException wrong) {
            MessageFormatException unwritable = new MessageFormatException(wrong.getMessage());
            unwritable.initCause(wrong);
            throw unwritable;
        }
    }

    private static BytesMessage bytes(Session session, byte[] body) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(body);
        return message;
    }

    /**
     * A message that was received.
     *
     * @throws MessageFormatException it is neither text nor bytes
     */
    static JmsMessage read(Message from) throws JMSException {
        boolean isText = from instanceof TextMessage;
        return new JmsMessage(body(from), isText, properties(from), head(from));
    }

    private static byte[] body(Message from) throws JMSException {
        return switch (from) {
            case TextMessage text -> {
                String body = text.getText();
                yield body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
            }
            case BytesMessage bytes -> {
                byte[] body = new byte[Math.toIntExact(bytes.getBodyLength())];
                bytes.readBytes(body);
                yield body;
            }
            default -> {
                if (from.isBodyAssignableTo(byte[].class) && from.getBody(byte[].class) == null) {
                    yield new byte[0];
                }
                throw new MessageFormatException("a message is text or bytes here, not "
                        + from.getClass().getSimpleName());
            }
        };
    }

    private static Map<String, Object> properties(Message from) throws JMSException {
        Map<String, Object> properties = new LinkedHashMap<>();
        Enumeration<?> names = from.getPropertyNames();
        while (names.hasMoreElements()) {
            String name = (String) names.nextElement();
            @Nullable Object value = from.getObjectProperty(name);
            if (value != null && Properties.isValue(value) && !isOfItsDelivery(name)) {
                properties.put(name, value);
            }
        }
        return Collections.unmodifiableMap(properties);
    }

    /** What holds for the sending or the delivery of this one only: a copy with the same duplicate id would be dropped. */
    private static boolean isOfItsDelivery(String name) {
        return name.startsWith("_AMQ_") || name.equals("JMSXDeliveryCount");
    }

    private static JmsMessage.Head head(Message from) throws JMSException {
        int deliveries = from.propertyExists("JMSXDeliveryCount")
                ? from.getIntProperty("JMSXDeliveryCount")
                : from.getJMSRedelivered() ? 2 : 1;
        return new JmsMessage.Head(
                from.getJMSMessageID(),
                from.getJMSCorrelationID(),
                from.getJMSType(),
                from.getJMSReplyTo(),
                deliveries);
    }
}
