package dev.penstock.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.program.FuzzHarness;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.client.impl.ClientMessageImpl;
import org.apache.activemq.artemis.jms.client.ActiveMQTextMessage;
import org.apache.qpid.jms.message.JmsTextMessage;
import org.apache.qpid.jms.provider.amqp.message.AmqpJmsTextMessageFacade;
import org.jspecify.annotations.Nullable;

/**
 * Input: lines {@code name=Tvalue}, T the type of a property that another sender has set, under any name. A message
 * received by a client can be read, sent by each client as it was read, and forwarded unread.
 */
class MessageMapperFuzzTest extends FuzzHarness {
    @Override
    protected void fuzz(byte[] input) throws Exception {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (String line : new String(input, StandardCharsets.UTF_8).split("\n", 100)) {
            int middle = line.indexOf('=');
            Object value = middle < 0 ? null : value(line.substring(middle + 1));
            if (value != null) {
                properties.put(line.substring(0, middle), value);
            }
        }
        goesOn(() -> artemis(properties));
        goesOn(() -> amqp(properties));
    }

    private static @Nullable Object value(String text) {
        String rest = text.isEmpty() ? "" : text.substring(1);
        int number = rest.hashCode();
        return switch (text.isEmpty() ? ' ' : text.charAt(0)) {
            case 's' -> rest;
            case 't' -> number % 2 == 0;
            case 'b' -> (byte) number;
            case 'h' -> (short) number;
            case 'i' -> number;
            case 'l' -> 0x9E3779B97F4A7C15L * number;
            case 'f' -> Float.intBitsToFloat(number);
            case 'd' -> Double.longBitsToDouble(0x9E3779B97F4A7C15L * number);
            case 'c' -> (char) number;
            case 'x' -> rest.getBytes(StandardCharsets.UTF_8);
            default -> null;
        };
    }

    private static void goesOn(Supplier<Message> received) throws JMSException {
        JmsMessage sendable = JmsMessage.of(received.get()).sendable();
        Map<String, Object> plain = plain(sendable);
        for (Session session : new Session[] {session(() -> artemis(Map.of())), session(() -> amqp(Map.of()))}) {
            try {
                assertThat(plain(JmsMessage.of(sendable.in(session)))).isEqualTo(plain);
            } catch (JMSException refused) {
                assertThat(plain.equals(sendable.properties()) && sendable.replyTo() == null)
                        .as(refused.toString())
                        .isFalse();
            }
        }
        Message unread = MessageMapper.unread(received.get(), Map.of("penstock_cause", "unreadable"));
        Map<String, Object> withCause = new LinkedHashMap<>(plain);
        withCause.put("penstock_cause", "unreadable");
        assertThat(plain(MessageMapper.headOf(unread))).isEqualTo(withCause);
    }

    /** Without properties that JMS and the brokers define, and with a type. */
    private static Map<String, Object> plain(JmsMessage message) {
        Map<String, Object> plain = new LinkedHashMap<>(message.properties());
        plain.keySet().removeIf(name -> name.startsWith("JMS") || name.startsWith("_AMQ"));
        return plain;
    }

    private static Message artemis(Map<String, Object> properties) {
        ClientMessageImpl core = new ClientMessageImpl((byte) 3, true, 0, 0, (byte) 4, 512);
        core.getBodyBuffer().writeNullableSimpleString(SimpleString.of("x"));
        properties.forEach((name, value) -> core.putObjectProperty(SimpleString.of(name), value));
        ActiveMQTextMessage message = new ActiveMQTextMessage(core, null);
        try {
            message.doBeforeReceive();
        } catch (ActiveMQException wrong) {
            throw new AssertionError(wrong);
        }
        return message;
    }

    private static Message amqp(Map<String, Object> properties) {
        try {
            AmqpJmsTextMessageFacade facade = new AmqpJmsTextMessageFacade();
            JmsTextMessage message = new JmsTextMessage(facade);
            message.setText("x");
            message.setValidatePropertyNames(true);
            for (Map.Entry<String, Object> property : properties.entrySet()) {
                facade.setApplicationProperty(property.getKey(), property.getValue());
            }
            return message;
        } catch (JMSException wrong) {
            throw new AssertionError(wrong);
        }
    }

    private static Message writable(Message message) throws JMSException {
        message.clearBody();
        message.clearProperties();
        return message;
    }

    /** Creates messages, without a broker. */
    private static Session session(Supplier<Message> messages) {
        return (Session) Proxy.newProxyInstance(
                Session.class.getClassLoader(),
                new Class<?>[] {Session.class},
                (proxy, method, arguments) -> writable(messages.get()));
    }
}
