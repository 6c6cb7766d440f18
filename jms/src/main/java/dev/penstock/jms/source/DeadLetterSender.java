package dev.penstock.jms.source;

import dev.penstock.Unanswered;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.MessageMapper;
import dev.penstock.jms.source.HeldMessage.MessageOutcome;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Sends the dead letters of a source in one session. Only on the thread of that session. */
final class DeadLetterSender {
    private static final byte[] NOTHING = {};

    private final Session session;
    private final MessageProducer producer;
    private final @Nullable MessageProducer deadLetterProducer;
    private final Destination deadLetters;
    private final Subscription from;
    private final JmsSourceCounts counts;
    private final @Nullable Confirmations confirmations;

    /**
     * Does not commit: the code that acknowledges in the same transacted session does. A session that is not transacted
     * requires a client that confirms sends to a listener.
     *
     * @param to the dead-letter queue
     * @param from the queue or topic of the source
     */
    DeadLetterSender(Session session, String to, Subscription from, JmsSourceCounts counts) throws JMSException {
        this.session = session;
        this.producer = session.createProducer(null);
        this.deadLetters = session.createQueue(to);
        // Not the producer without a queue: RabbitMQ confirms and drops its messages to a missing queue.
        this.deadLetterProducer = session.getTransacted() ? null : session.createProducer(deadLetters);
        this.from = from;
        this.counts = counts;
        this.confirmations = session.getTransacted() ? null : new Confirmations();
    }

    /**
     * Sends the dead letters among messages that have ended, and waits for the broker, unless the session is transacted.
     *
     * @return whether anything was sent
     * @throws JMSException when sending failed: the messages must not be acknowledged
     */
    boolean sendAll(List<HeldMessage> ended) throws JMSException {
        boolean wrote = false;
        for (HeldMessage held : ended) {
            wrote |= send(held);
        }
        if (confirmations != null) {
            confirmations.await();
        }
        return wrote;
    }

    /** Sends a message as a dead letter if its outcome is one. */
    private boolean send(HeldMessage held) throws JMSException {
        return switch (held.outcome()) {
            case MessageOutcome.Dead dead -> sendDeadLetter(held, dead);
            case null, default -> false;
        };
    }

    /** As {@link #send}; a message given back is sent to the end of its queue, with its id in a property. */
    void sendOrReturn(HeldMessage held) throws JMSException {
        if (!held.isGivenBack()) {
            send(held);
            return;
        }
        Message message = held.message();
        long expires = message.getJMSExpiration();
        producer.send(
                session.createQueue(from.destination()),
                returned(held),
                message.getJMSDeliveryMode(),
                message.getJMSPriority(),
                expires == 0 ? 0 : Math.max(1, expires - System.currentTimeMillis()));
    }

    private Message returned(HeldMessage held) throws JMSException {
        try {
            return held.read().sendable().withOwnId().in(session);
        } catch (JMSException | RuntimeException unreadable) {
            return held.message();
        }
    }

    private boolean sendDeadLetter(HeldMessage held, MessageOutcome.Dead dead) throws JMSException {
        Message message = held.message();
        Message deadLetter = copy(held, dead);
        if (confirmations == null || deadLetterProducer == null) {
            producer.send(deadLetters, deadLetter, DeliveryMode.PERSISTENT, message.getJMSPriority(), 0);
        } else {
            deadLetterProducer.send(
                    deadLetter, DeliveryMode.PERSISTENT, message.getJMSPriority(), 0, confirmations.expect());
        }
        counts.deadLetters.increment();
        return true;
    }

    private Message copy(HeldMessage held, MessageOutcome.Dead dead) throws JMSException {
        try {
            JmsMessage known = held.bodyLeftAtBroker() ? MessageMapper.headOf(held.message()) : held.read();
            JmsMessage deadLetter = described(known.sendable(), dead).withOwnId();
            return held.bodyLeftAtBroker()
                    ? MessageMapper.writeWithBodyOf(held.message(), session, deadLetter)
                    : deadLetter.in(session);
        } catch (JMSException | RuntimeException unreadable) {
            // Forwarded with its body unchanged, since it must not be lost.
            return MessageMapper.unread(held.message(), properties(held.message(), dead));
        }
    }

    private Map<String, Object> properties(Message message, MessageOutcome.Dead dead) throws JMSException {
        JmsMessage bare = described(JmsMessage.bytes(NOTHING), dead);
        String id = MessageMapper.id(message);
        return (id == null || message.propertyExists(JmsMessage.FIRST_ID)
                        ? bare
                        : bare.withProperty(JmsMessage.FIRST_ID, id))
                .properties();
    }

    /** Adds the properties of a dead letter. */
    private JmsMessage described(JmsMessage message, MessageOutcome.Dead dead) {
        JmsMessage ended = ending(message, dead.why(), dead.attempts())
                .withProperty(from.isQueue() ? "penstock_queue" : "penstock_topic", from.destination());
        String name = from.name();
        return name == null ? ended : ended.withProperty("penstock_subscription", name);
    }

    /** Adds the properties that describe how a message ended. */
    static JmsMessage ending(JmsMessage message, Unanswered why, int attempts) {
        return message.withProperty("penstock_ending", why.ending())
                .withProperty("penstock_cause", why.causeName())
                .withProperty("penstock_reason", firstLine(why.getMessage()))
                .withProperty("penstock_attempts", attempts);
    }

    private static String firstLine(@Nullable String text) {
        return text == null ? "" : text.lines().findFirst().orElse("");
    }

    /**
     * The broker's confirmations of messages sent without a transaction. All are awaited together, so that they take about
     * as long as one. One thread sends and waits; the client confirms on another.
     */
    private static final class Confirmations {
        /** Longer than the client's own timeout. */
        private static final long TIMEOUT_SECONDS = 35;

        private final Phaser open = new Phaser(1);
        private final AtomicReference<@Nullable Exception> refused = new AtomicReference<>();

        /** A listener for one message that is about to be sent. */
        CompletionListener expect() {
            open.register();
            return new CompletionListener() {
                @Override
                public void onCompletion(Message message) {
                    open.arriveAndDeregister();
                }

                @Override
                public void onException(Message message, Exception why) {
                    refused.compareAndSet(null, why);
                    open.arriveAndDeregister();
                }
            };
        }

        /**
         * Waits for all confirmations.
         *
         * @throws JMSException when a message was refused, or not confirmed in time
         */
        void await() throws JMSException {
            try {
                open.awaitAdvanceInterruptibly(open.arrive(), TIMEOUT_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException late) {
                throw failure("no confirmation from the broker within " + TIMEOUT_SECONDS + " s", late);
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                throw failure("interrupted while waiting for the broker's confirmation", stop);
            }
            Exception why = refused.getAndSet(null);
            if (why != null) {
                throw why instanceof JMSException known
                        ? known
                        : failure("the broker refused the message: " + why, why);
            }
        }

        private static JMSException failure(String message, Exception cause) {
            JMSException failed = new JMSException(message);
            failed.initCause(cause);
            return failed;
        }
    }
}
