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
 * A message as it goes through a flow: without its session, so that any thread may hold it. Immutable, but for the bytes of
 * its body, which nobody may change.
 *
 * <pre>{@code
 * JmsMessage.text("{\"amount\": 7}").withProperty("Idempotency_Key", "k-1")
 * }</pre>
 */
public final class JmsMessage implements Keyed {
    /** The name by which a message's own id is asked for as a key: {@value}. */
    public static final String MESSAGE_ID = "JMSMessageID";

    /** The property by which JMS keeps messages in order: {@value}. */
    public static final String GROUP = "JMSXGroupID";

    /** The property that has the first id of a message which was sent again: {@value}. */
    public static final String FIRST_ID = "penstock_message_id";

    private static final Map<String, Object> NO_PROPERTIES = Map.of();

    private final byte[] body;
    private final boolean isText;
    private final Map<String, Object> properties;
    private final Head head;

    /**
     * What stands above properties and body.
     *
     * @param id given by the broker's client when it was sent; null before
     * @param correlationId null for none
     * @param type null for none
     * @param replyTo where an answer is wanted; null for nowhere
     * @param deliveries how often it was delivered, this time included; 0 for one that is yet to be sent
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
        this.body = body;
        this.isText = isText;
        this.properties = properties;
        this.head = head;
    }

    /**
     * A message of text, to be sent.
     *
     * @throws IllegalArgumentException it has half of a surrogate pair, which UTF-8 cannot carry
     */
    public static JmsMessage text(String text) {
        int lone = MessageMapper.loneSurrogate(text);
        if (lone >= 0) {
            throw new IllegalArgumentException(MessageMapper.noUtf8(lone));
        }
        return new JmsMessage(text.getBytes(StandardCharsets.UTF_8), true, NO_PROPERTIES, Head.NONE);
    }

    /**
     * A message of bytes, to be sent.
     *
     * @param bytes not to be changed afterwards
     */
    public static JmsMessage bytes(byte[] bytes) {
        return new JmsMessage(bytes, false, NO_PROPERTIES, Head.NONE);
    }

    /**
     * A message that was received, without its session.
     *
     * @throws JMSException it is neither text nor bytes, or text that UTF-8 cannot carry, or the client cannot read it
     */
    public static JmsMessage of(Message received) throws JMSException {
        return MessageMapper.read(received);
    }

    /**
     * A message that was received, with an empty body: its body is not read.
     *
     * @throws JMSException the client cannot read its properties
     */
    public static JmsMessage headOf(Message received) throws JMSException {
        return MessageMapper.headOf(received);
    }

    /** Whether the client reads the body of a received message from the broker only now, and no more after its next receive. */
    public static boolean isStreamed(Message received) {
        return MessageMapper.isStreamed(received);
    }

    /**
     * How many bytes the body of a received message has, without reading it; about as many, when it is text that was read by
     * the client.
     *
     * @return 0 where the client does not tell before the body is read
     * @throws JMSException the client cannot tell
     */
    public static long bodySize(Message received) throws JMSException {
        return MessageMapper.bodySize(received);
    }

    /**
     * The message as the client of a session sends it.
     *
     * @throws JMSException the client will not have it so
     */
    public Message in(Session session) throws JMSException {
        return MessageMapper.write(session, this);
    }

    /**
     * A message whose body cannot be read, to be sent on as it came with more properties. Changes the received message.
     *
     * @throws JMSException the client will not have it so
     */
    public static Message unread(Message received, Map<String, Object> properties) throws JMSException {
        return MessageMapper.unread(received, properties);
    }

    /** The body: as it is, or UTF-8 when it is text. Not to be changed. */
    public byte[] body() {
        return body;
    }

    /** The body as text, taken for UTF-8 when it came as bytes. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Whether it travels as text; else as bytes. */
    public boolean isText() {
        return isText;
    }

    /** Its properties by name: text, numbers, truth values. Does not change. */
    public Map<String, Object> properties() {
        return properties;
    }

    /** A property as text, or null when there is none of that name. */
    public @Nullable String property(String name) {
        Object value = properties.get(name);
        return value == null ? null : value.toString();
    }

    /** Its id, as the client gave it when it was sent; null before. */
    public @Nullable String id() {
        return head.id;
    }

    /** Which request this answers; null for none. */
    public @Nullable String correlationId() {
        return head.correlationId;
    }

    /** What its sender calls this kind of message; null for none. */
    public @Nullable String type() {
        return head.type;
    }

    /** Where an answer is wanted; null for nowhere. */
    public @Nullable Destination replyTo() {
        return head.replyTo;
    }

    /** How often it was delivered, this time included: more than 1 when it came back. 0 for one that is yet to be sent. */
    public int deliveries() {
        return head.deliveries;
    }

    /** The group whose messages are kept in order; null for none. */
    public @Nullable String group() {
        return property(GROUP);
    }

    /**
     * Its own id for {@link #MESSAGE_ID}, else the property of that name. The id is that of {@link #FIRST_ID} where it has one:
     * a dead letter that is put back into its queue is known by the id that it had there.
     */
    @Override
    public @Nullable String key(String name) {
        if (!name.equals(MESSAGE_ID)) {
            return property(name);
        }
        String first = property(FIRST_ID);
        return first == null ? head.id : first;
    }

    /** The same, which is known by its id also after it is sent again, when its client gives it another. */
    public JmsMessage withOwnId() {
        String own = key(MESSAGE_ID);
        return own == null ? this : withProperty(FIRST_ID, own);
    }

    /**
     * The message as the client of a session sends it, with the body of a received one in place of its own. That is read from
     * the broker while this is sent, and is never in memory as a whole.
     *
     * @param received {@linkplain #isStreamed streamed}, and not read
     * @param session of the same client
     * @throws JMSException the client will not have it so
     */
    public Message withBodyOf(Message received, Session session) throws JMSException {
        return MessageMapper.writeWithBodyOf(received, session, this);
    }

    /**
     * The same with a property more.
     *
     * @param name a Java identifier, as JMS 3.1 section 3.5.1 asks for
     * @param value text, a truth value, or a number of a kind that Java has as a primitive
     * @throws IllegalArgumentException when either is not
     */
    public JmsMessage withProperty(String name, Object value) {
        JmsProperties.check(name, value);
        Map<String, Object> more = new LinkedHashMap<>(properties);
        more.put(name, value);
        return new JmsMessage(body, isText, Collections.unmodifiableMap(more), head);
    }

    /** The same without properties that JMS does not send: a sender by AMQP names them as it likes. */
    public JmsMessage sendable() {
        Map<String, Object> fewer = new LinkedHashMap<>(properties);
        return fewer.keySet().removeIf(name -> !JmsProperties.isName(name))
                ? new JmsMessage(body, isText, Collections.unmodifiableMap(fewer), head)
                : this;
    }

    /** The same, as an answer to the request that has this correlation id, or is to be answered with it. */
    public JmsMessage withCorrelationId(@Nullable String correlationId) {
        return with(new Head(head.id, correlationId, head.type, head.replyTo, head.deliveries));
    }

    /** The same, as another type. */
    public JmsMessage withType(@Nullable String type) {
        return with(new Head(head.id, head.correlationId, type, head.replyTo, head.deliveries));
    }

    /** The same, to be answered there. */
    JmsMessage withReplyTo(@Nullable Destination replyTo) {
        return with(new Head(head.id, head.correlationId, head.type, replyTo, head.deliveries));
    }

    /** The same in a group, whose messages are kept in order. */
    public JmsMessage inGroup(String group) {
        return withProperty(GROUP, group);
    }

    private JmsMessage with(Head other) {
        return new JmsMessage(body, isText, properties, other);
    }

    /** Equal when all is, but for how often it was delivered and where an answer is wanted. */
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
