package dev.penstock.jms;

import dev.penstock.Keyed;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message independent of its JMS session, so that any thread may use it. Immutable; the byte array of its body must
 * not be changed.
 *
 * <pre>{@code
 * JmsMessage.text("{\"amount\": 7}").withProperty("Idempotency_Key", "k-1")
 * }</pre>
 */
public final class JmsMessage implements Keyed {
    /** The key name that stands for the message's own id: {@value}. */
    public static final String MESSAGE_ID = "JMSMessageID";

    /** The JMS property whose messages of equal value are kept in order: {@value}. */
    public static final String GROUP = "JMSXGroupID";

    /** The property that describes what is wrong with a body that was damaged at its broker: {@value}. */
    public static final String DAMAGE = "penstock_damage";

    /** The property that contains the original id of a message that was sent again: {@value}. */
    public static final String FIRST_ID = "penstock_message_id";

    private static final Map<String, Object> NO_PROPERTIES = Map.of();

    private final byte[] body;
    private final boolean isText;
    private final Map<String, Object> properties;
    private final Head head;
    private final @Nullable Message received;

    /**
     * The JMS header.
     *
     * @param id set by the client when the message was sent; null before
     * @param correlationId null for none
     * @param type null for none
     * @param replyTo the destination for the reply; null for none
     * @param deliveries the number of deliveries including this one; 0 for a message to be sent
     */
    record Head(
            @Nullable String id,
            @Nullable String correlationId,
            @Nullable String type,
            @Nullable Destination replyTo,
            int deliveries) {
        static final Head NONE = new Head(null, null, null, null, 0);
    }

    JmsMessage(byte[] body, boolean isText, Map<String, Object> properties, Head head) {
        this(body, isText, properties, head, null);
    }

    JmsMessage(byte[] body, boolean isText, Map<String, Object> properties, Head head, @Nullable Message received) {
        this.body = body;
        this.isText = isText;
        this.properties = properties;
        this.head = head;
        this.received = received;
    }

    /**
     * A text message to be sent.
     *
     * @throws IllegalArgumentException when the text contains an unpaired surrogate, which UTF-8 cannot encode
     */
    public static JmsMessage text(String text) {
        int lone = MessageMapper.loneSurrogate(text);
        if (lone >= 0) {
            throw new IllegalArgumentException(MessageMapper.noUtf8(lone));
        }
        return new JmsMessage(text.getBytes(StandardCharsets.UTF_8), true, NO_PROPERTIES, Head.NONE);
    }

    /**
     * A bytes message to be sent.
     *
     * @param bytes not to be changed afterwards
     */
    public static JmsMessage bytes(byte[] bytes) {
        return new JmsMessage(bytes, false, NO_PROPERTIES, Head.NONE);
    }

    /**
     * Converts a received message.
     *
     * @throws JMSException when it is neither text nor bytes, contains an unpaired surrogate, or cannot be read by
     *     the client
     */
    public static JmsMessage of(Message received) throws JMSException {
        return MessageMapper.read(received);
    }

    /**
     * Converts to a message of a client's session.
     *
     * @throws JMSException when the client refuses it
     */
    public Message in(Session session) throws JMSException {
        return MessageMapper.write(session, this);
    }

    /** The body; UTF-8 for text. Not to be changed. */
    public byte[] body() {
        return body;
    }

    /** The body as text; bytes are decoded as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Whether it is a text message; otherwise a bytes message. */
    public boolean isText() {
        return isText;
    }

    /** The properties by name: strings, numbers and booleans. Unmodifiable. */
    public Map<String, Object> properties() {
        return properties;
    }

    /** A property as text; null when there is none of that name. */
    public @Nullable String property(String name) {
        Object value = properties.get(name);
        return value == null ? null : value.toString();
    }

    /** The message id, set by the client when it was sent; null before. */
    public @Nullable String id() {
        return head.id;
    }

    /** The correlation id; null for none. */
    public @Nullable String correlationId() {
        return head.correlationId;
    }

    /** The JMS type; null for none. */
    public @Nullable String type() {
        return head.type;
    }

    /** The destination for the reply; null for none. */
    public @Nullable Destination replyTo() {
        return head.replyTo;
    }

    /** The number of deliveries including this one: above 1 for a redelivered message, 0 for one to be sent. */
    public int deliveries() {
        return head.deliveries;
    }

    /**
     * The message of the client that was read, for code that needs one: the handler of a source has it to itself until it returns. The
     * bytes of its body have been read ({@link jakarta.jms.BytesMessage#reset}). Null for a message to be sent, and for a copy.
     */
    public @Nullable Message received() {
        return received;
    }

    /** The group whose messages are kept in order; null for none. */
    public @Nullable String group() {
        return property(GROUP);
    }

    /**
     * The message id for {@link #MESSAGE_ID}, otherwise the property of that name. If {@link #FIRST_ID} is set, it
     * counts as the id: a dead letter that was moved back to its queue is recognized by its original id.
     */
    @Override
    public @Nullable String key(String name) {
        if (!name.equals(MESSAGE_ID)) {
            return property(name);
        }
        String first = property(FIRST_ID);
        return first == null ? head.id : first;
    }

    /** A copy that keeps its id as {@link #FIRST_ID} when it is sent again and gets another id. */
    public JmsMessage withOwnId() {
        String own = key(MESSAGE_ID);
        return own == null ? this : withProperty(FIRST_ID, own);
    }

    /**
     * A copy with a property added or replaced.
     *
     * @param name a Java identifier, as required by section 3.5.1 of JMS 3.1
     * @param value a string, boolean, or number of a type that Java has as a primitive
     * @throws IllegalArgumentException when the name or the value is invalid
     */
    public JmsMessage withProperty(String name, Object value) {
        JmsProperties.check(name, value);
        Map<String, Object> more = new LinkedHashMap<>(properties);
        more.put(name, value);
        return new JmsMessage(body, isText, Collections.unmodifiableMap(more), head);
    }

    /** A copy without properties that JMS cannot send: AMQP allows any name. */
    public JmsMessage sendable() {
        Map<String, Object> fewer = new LinkedHashMap<>(properties);
        return fewer.keySet().removeIf(name -> !JmsProperties.isName(name))
                ? new JmsMessage(body, isText, Collections.unmodifiableMap(fewer), head)
                : this;
    }

    /** A copy with a correlation id. */
    public JmsMessage withCorrelationId(@Nullable String correlationId) {
        return new JmsMessage(
                body, isText, properties, new Head(head.id, correlationId, head.type, head.replyTo, head.deliveries));
    }

    /** A copy in a group, whose messages are kept in order. */
    public JmsMessage inGroup(String group) {
        return withProperty(GROUP, group);
    }

    /** Ignores the number of deliveries and the destination for the reply. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JmsMessage that
                && isText == that.isText
                && Arrays.equals(body, that.body)
                && properties.equals(that.properties)
                && Objects.equals(head.id, that.head.id)
                && Objects.equals(head.correlationId, that.head.correlationId)
                && Objects.equals(head.type, that.head.type);
    }

    @Override
    public int hashCode() {
        return Objects.hash(Arrays.hashCode(body), properties, head.id);
    }

    /** Without body and properties, which may be secret. */
    @Override
    public String toString() {
        return "message %s of %,d bytes".formatted(head.id == null ? "without id" : head.id, body.length);
    }
}
