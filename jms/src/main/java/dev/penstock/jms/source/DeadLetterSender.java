package dev.penstock.jms.source;

import dev.penstock.Unanswered;
import dev.penstock.jms.JmsMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends the dead letters of a source in one session. For the one thread of that session.
 */
final class DeadLetterSender {
    private static final byte[] NOTHING = {};

    private final Session session;
    private final boolean commits;
    private final MessageProducer producer;
    private final @Nullable MessageProducer deadLetterProducer;
    private final Destination deadLetters;
    private final String from;
    private final JmsSourceCounts counts;
    private final @Nullable Confirmations confirmations;

    /**
     * Letters of one session. One that is not transacted has to be of a client that confirms what is sent to a listener.
     *
     * @param commits whether this commits; else who acknowledges in the same session does
     * @param to where dead letters go
     * @param from the queue that they come from
     */
    DeadLetterSender(Session session, boolean commits, String to, String from, JmsSourceCounts counts) throws JMSException {
        this.session = session;
        this.commits = commits;
        this.producer = session.createProducer(null);
        this.deadLetters = session.createQueue(to);
        // Not by the one without a queue: RabbitMQ confirms what that sends to a queue that is not there, and drops it.
        this.deadLetterProducer = session.getTransacted() ? null : session.createProducer(deadLetters);
        this.from = from;
        this.counts = counts;
        this.confirmations = session.getTransacted() ? null : new Confirmations();
    }

    /**
     * Sends what the outcomes of messages ask for, and waits until the broker has it, unless it is to be committed by others.
     *
     * @return whether anything was sent
     * @throws JMSException it cannot be sent: the messages are not to be acknowledged
     */
    boolean sendAll(List<HeldMessage> ended) throws JMSException {
        boolean wrote = false;
        for (HeldMessage held : ended) {
            wrote |= send(held);
        }
        if (confirmations != null) {
            confirmations.await();
        } else if (wrote && commits) {
            session.commit();
        }
        return wrote;
    }

    /** Sends what an outcome asks for, if anything; not committed yet. */
    boolean send(HeldMessage held) throws JMSException {
        return switch (held.outcome()) {
            case MessageOutcome.Dead dead -> bury(held, dead);
            case null, default -> false;
        };
    }

    /** As {@link #send}; what is given back goes to the end of its queue, with its id in a property. */
    void sendOrReturn(HeldMessage held) throws JMSException {
        if (!held.isGivenBack()) {
            send(held);
            return;
        }
        Message message = held.message();
        long expires = message.getJMSExpiration();
        producer.send(
                session.createQueue(from),
                named(held),
                message.getJMSDeliveryMode(),
                message.getJMSPriority(),
                expires == 0 ? 0 : Math.max(1, expires - System.currentTimeMillis()));
    }

    private Message named(HeldMessage held) throws JMSException {
        try {
            return held.read().sendable().withOwnId().in(session);
        } catch (JMSException | RuntimeException unreadable) {
            return held.message();
        }
    }

    private boolean bury(HeldMessage held, MessageOutcome.Dead dead) throws JMSException {
        Message message = held.message();
        Message letter = copy(held, dead);
        if (confirmations == null || deadLetterProducer == null) {
            producer.send(deadLetters, letter, DeliveryMode.PERSISTENT, message.getJMSPriority(), 0);
        } else {
            deadLetterProducer.send(
                    letter, DeliveryMode.PERSISTENT, message.getJMSPriority(), 0, confirmations.expect());
        }
        counts.deadLetters.increment();
        return true;
    }

    private Message copy(HeldMessage held, MessageOutcome.Dead dead) throws JMSException {
        try {
            JmsMessage known = held.leftBody() ? JmsMessage.headOf(held.message()) : held.read();
            JmsMessage letter = ending(known.sendable(), dead.why(), dead.attempts())
                    .withProperty("penstock_queue", from)
                    .withOwnId();
            return held.leftBody() ? letter.withBodyOf(held.message(), session) : letter.in(session);
        } catch (JMSException | RuntimeException unreadable) {
            // Passed on with the body as it came, since it must not be lost.
            return JmsMessage.unread(held.message(), properties(held.message(), dead));
        }
    }

    private Map<String, Object> properties(Message message, MessageOutcome.Dead dead) throws JMSException {
        JmsMessage bare =
                ending(JmsMessage.bytes(NOTHING), dead.why(), dead.attempts()).withProperty("penstock_queue", from);
        String id = message.getJMSMessageID();
        boolean isNamed = id == null || message.propertyExists(JmsMessage.FIRST_ID);
        return (isNamed ? bare : bare.withProperty(JmsMessage.FIRST_ID, id)).properties();
    }

    /** A message that tells how another ended. */
    static JmsMessage ending(JmsMessage message, Unanswered why, int attempts) {
        return message.withProperty("penstock_ending", why.ending())
                .withProperty("penstock_cause", why.whyWord())
                .withProperty("penstock_reason", firstLine(why.getMessage()))
                .withProperty("penstock_attempts", attempts);
    }

    private static String firstLine(@Nullable String words) {
        return words == null ? "" : words.lines().findFirst().orElse("");
    }
}
