package dev.penstock.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.jspecify.annotations.Nullable;

/** Converts messages to and from those of a JMS client. For targets and sources. */
public final class MessageMapper {
    /** Properties that only a client or a broker may set. */
    private static final Set<String> PROVIDER_PROPERTIES = Set.of(
            "JMSXDeliveryCount",
            "JMSXUserID",
            "JMSXAppID",
            "JMSXProducerTXID",
            "JMSXConsumerTXID",
            "JMSXRcvTimestamp",
            "JMSXState");

    private static final byte[] NO_BODY = {};

    /** Of a message that Artemis has converted from AMQP: its id, since the JMSMessageID is another in each delivery. */
    private static final String AMQP_ID = "NATIVE_MESSAGE_ID";

    /** Of a message that Artemis has converted from AMQP: the type of its body, absent if JMS has no such type. */
    private static final String AMQP_BODY = "JMS_AMQP_ORIGINAL_ENCODING";

    /** Of a message that Artemis has converted from AMQP, if it has a header section. */
    private static final String AMQP_HEADER = "JMS_AMQP_HEADER";

    /** The descriptor of an encoded AMQP value (AMQP 1.0, section 3.2.8). */
    private static final byte[] AMQP_VALUE = {0, 0x53, 0x77};

    private MessageMapper() {}

    /**
     * Converts a message for sending.
     *
     * @throws JMSException when the client refuses it
     */
    static Message write(Session session, JmsMessage from) throws JMSException {
        Message to = from.isText() ? session.createTextMessage(from.text()) : bytes(session, from.body());
        setHead(to, from);
        return to;
    }

    /**
     * Converts a message for sending, with the body and type of a received message of Artemis. The body is read from the
     * broker while it is sent, and is never in memory as a whole.
     *
     * @param received a {@linkplain #isStreamed streamed} message that was not read
     * @param session a session of the same client
     * @throws JMSException when the client refuses it
     */
    public static Message writeWithBodyOf(Message received, Session session, JmsMessage from) throws JMSException {
        ActiveMQMessage to = (ActiveMQMessage) session.createMessage();
        setHead(to, from);
        ClientMessage source = ((ActiveMQMessage) received).getCoreMessage();
        to.getCoreMessage().setType(source.getType());
        to.getCoreMessage().setBodyInputStream(new LargeBody(source));
        return to;
    }

    private static void setHead(Message to, JmsMessage from) throws JMSException {
        setAll(to, from.properties());
        if (from.correlationId() != null) {
            to.setJMSCorrelationID(from.correlationId());
        }
        if (from.type() != null) {
            to.setJMSType(from.type());
        }
        if (from.replyTo() != null) {
            to.setJMSReplyTo(from.replyTo());
        }
    }

    private static void setAll(Message to, Map<String, Object> properties) throws JMSException {
        for (Map.Entry<String, Object> property : properties.entrySet()) {
            if (!PROVIDER_PROPERTIES.contains(property.getKey())) {
                set(to, property.getKey(), property.getValue());
            }
        }
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
     * Converts a received message.
     *
     * @throws MessageFormatException when it is neither text nor bytes, or contains an unpaired surrogate
     */
    static JmsMessage read(Message from) throws JMSException {
        boolean isText = from instanceof TextMessage;
        return new JmsMessage(body(from), isText, properties(from), head(from), from);
    }

    /**
     * Converts a received message without reading its body, which is empty here.
     *
     * @throws JMSException when the client cannot read its properties
     */
    public static JmsMessage headOf(Message from) throws JMSException {
        return new JmsMessage(NO_BODY, from instanceof TextMessage, properties(from), head(from));
    }

    /**
     * Whether the client reads the body of a received message from the broker only on access, and not after its
     * next receive.
     */
    public static boolean isStreamed(Message from) {
        return from instanceof ActiveMQMessage own && own.getCoreMessage().isLargeMessage();
    }

    /**
     * The size of a received message's body in bytes, without reading it; approximate for text that the client
     * has decoded.
     *
     * @return 0 when the client does not know before the body is read
     * @throws JMSException when the client cannot determine it
     */
    public static long bodySize(Message from) throws JMSException {
        return switch (from) {
            case ActiveMQMessage own when own.getCoreMessage().isLargeMessage() -> LargeBody.size(own.getCoreMessage());
            case ActiveMQMessage own -> own.getCoreMessage().getBodySize();
            case BytesMessage bytes -> bytes.getBodyLength();
            case TextMessage text -> {
                String body = text.getText();
                yield body == null ? 0 : body.length();
            }
            default -> 0;
        };
    }

    private static byte[] body(Message from) throws JMSException {
        return switch (from) {
            case TextMessage text -> {
                String body = text.getText();
                yield body == null ? new byte[0] : utf8(body);
            }
            case BytesMessage bytes -> {
                byte[] body = new byte[Math.toIntExact(bytes.getBodyLength())];
                bytes.readBytes(body);
                if (isEncodedAmqp(bytes, body)) {
                    throw unsupported("an AMQP value of another type");
                }
                yield body;
            }
            // Rejected without reading them: an object would be deserialized.
            case MapMessage _ -> throw unsupported("a MapMessage");
            case ObjectMessage _ -> throw unsupported("an ObjectMessage");
            case StreamMessage _ -> throw unsupported("a StreamMessage");
            // A message without a body. Artemis delivers messages that are not JMS messages in the same class.
            case ActiveMQMessage own
            when own.getCoreMessage().getBodyBuffer().readableBytes() > 0 ->
                throw unsupported("a core message of Artemis");
            default -> new byte[0];
        };
    }

    /**
     * Artemis delivers an AMQP value without a JMS type, such as a number, as a bytes message: with its encoding, or with
     * other bytes of the broker's memory, since it reads a pooled buffer of Netty from the wrong place (seen in 2.55).
     */
    private static boolean isEncodedAmqp(Message from, byte[] body) throws JMSException {
        if (!(from instanceof ActiveMQMessage) || from.propertyExists(AMQP_BODY)) {
            return false;
        }
        return from.propertyExists(AMQP_ID)
                || from.propertyExists(AMQP_HEADER)
                || (from.getJMSMessageID() == null
                        && body.length > AMQP_VALUE.length
                        && Arrays.equals(body, 0, AMQP_VALUE.length, AMQP_VALUE, 0, AMQP_VALUE.length));
    }

    /**
     * The id of a received message, equal in all its deliveries; null if its sender has set none.
     *
     * @throws JMSException when the client cannot read it
     */
    public static @Nullable String id(Message from) throws JMSException {
        String own = from instanceof ActiveMQMessage ? from.getStringProperty(AMQP_ID) : null;
        return own == null ? from.getJMSMessageID() : own;
    }

    private static MessageFormatException unsupported(String kind) {
        return new MessageFormatException(
                "unsupported message type: only text or bytes messages are supported, not " + kind);
    }

    private static byte[] utf8(String text) throws MessageFormatException {
        int lone = loneSurrogate(text);
        if (lone >= 0) {
            throw new MessageFormatException(noUtf8(lone));
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String noUtf8(int at) {
        return "character " + at + " of the text is an unpaired surrogate, which UTF-8 cannot encode";
    }

    /** The index of an unpaired surrogate, which Java would encode as a question mark; -1 for none. */
    static int loneSurrogate(String text) {
        int length = text.length();
        for (int at = 0; at < length; at++) {
            if (Character.isSurrogate(text.charAt(at))) {
                if (at + 1 == length || !Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1))) {
                    return at;
                }
                at++;
            }
        }
        return -1;
    }

    /**
     * The received message itself, with its body unchanged and more properties, for a body that cannot be read.
     *
     * @throws JMSException when the client refuses it
     */
    public static Message unread(Message received, Map<String, Object> more) throws JMSException {
        Map<String, Object> all = new LinkedHashMap<>(properties(received));
        all.keySet().removeIf(name -> !JmsProperties.isName(name));
        all.putAll(more);
        received.clearProperties();
        setAll(received, all);
        return received;
    }

    private static Map<String, Object> properties(Message from) throws JMSException {
        Map<String, Object> properties = new LinkedHashMap<>();
        Enumeration<?> names = from.getPropertyNames();
        while (names.hasMoreElements()) {
            String name = (String) names.nextElement();
            @Nullable Object value = from.getObjectProperty(name);
            if (value != null && JmsProperties.isValue(value) && !isDeliveryProperty(name)) {
                properties.put(name, value);
            }
        }
        return Collections.unmodifiableMap(properties);
    }

    /** Properties of one send or delivery only: a copy with the same duplicate id would be dropped. */
    private static boolean isDeliveryProperty(String name) {
        return name.startsWith("_AMQ_") || name.equals("JMSXDeliveryCount") || name.equals(AMQP_ID);
    }

    private static JmsMessage.Head head(Message from) throws JMSException {
        Integer given = from.propertyExists("JMSXDeliveryCount")
                ? header(() -> from.getIntProperty("JMSXDeliveryCount"))
                : null;
        int deliveries = given != null ? given : from.getJMSRedelivered() ? 2 : 1;
        return new JmsMessage.Head(
                id(from),
                header(from::getJMSCorrelationID),
                header(from::getJMSType),
                header(from::getJMSReplyTo),
                deliveries);
    }

    @FunctionalInterface
    private interface HeaderGetter<T> {
        @Nullable
        T get() throws JMSException;
    }

    /** A header; null also if a sender with another protocol has set an invalid value. */
    private static <T> @Nullable T header(HeaderGetter<T> header) throws JMSException {
        try {
            return header.get();
        } catch (RuntimeException wrong) {
            return null;
        }
    }
}
