package dev.penstock.jms.source;

import dev.penstock.Ticker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.MessageMapper;
import dev.penstock.jms.RabbitMq;
import dev.penstock.jms.source.HeldMessage.MessageOutcome;
import dev.penstock.source.PrefetchWindow;
import dev.penstock.source.SourceHealth;
import dev.penstock.source.SourceStop;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.Session;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all acknowledgement modes share: capacity, known messages, and the processing of a message. Thread-safe. */
final class MessageProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(JmsSource.class);
    private static final long POLL_NANOS = 1_000_000;

    private final JmsSourceBuilder built;
    private final PrefetchWindow prefetchWindow;
    private final MessageHandling handling;
    private final DeliveryAttempts attempts;
    private final SourceReplies replies;
    private final RecentOutcomes recentOutcomes;
    private final SourceStop stop;
    private final JmsSourceCounts counts;
    private final SourceHealth health;
    private final OneByOne oneByOne;
    private final QueueDepth depth = new QueueDepth();
    private volatile boolean worked;
    private volatile boolean closed;

    MessageProcessor(
            JmsSourceBuilder built,
            PrefetchWindow prefetchWindow,
            MessageHandling handling,
            SourceReplies replies,
            DeliveryAttempts attempts,
            SourceStop stop,
            SourceHealth health,
            JmsSourceCounts counts) {
        this.replies = replies;
        this.built = built;
        this.prefetchWindow = prefetchWindow;
        this.oneByOne = new OneByOne(prefetchWindow);
        this.handling = handling;
        this.attempts = attempts;
        this.recentOutcomes = new RecentOutcomes(attempts::ended);
        this.stop = stop;
        this.counts = counts;
        this.health = health;
    }

    Subscription subscription() {
        return built.subscription();
    }

    /** The number of messages in the queue of the current consumer. */
    OptionalLong queued() {
        return depth.messages();
    }

    /** A connection is opened. */
    void connecting() {
        oneByOne.connecting();
        attempts.connecting();
    }

    OneByOne oneByOne() {
        return oneByOne;
    }

    SourceHealth health() {
        return health;
    }

    /**
     * A session for sending beside another that receives. AMQP 1.0 brokers need not support transactions, and RabbitMQ
     * does not: there each message is confirmed separately, many at the same time.
     */
    Session sendingSession(Connection connection) throws JMSException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        RabbitMq.requireQueue(built.broker, session, session.createQueue(built.deadLetterQueue()));
        return session;
    }

    /** The dead-letter sender of a session. */
    DeadLetterSender deadLetterSender(Session session) throws JMSException {
        return new DeadLetterSender(session, built.deadLetterQueue(), subscription(), counts);
    }

    /** Opens a receiver. */
    IndividualReceiver receiver(Connection connection) throws JMSException {
        IndividualReceiver receiver =
                IndividualReceiver.in(built.broker.kind(), connection, subscription(), built.maxBody);
        depth.opened(connection, receiver.artemisQueue());
        return receiver;
    }

    /**
     * Wraps a received message.
     *
     * @param bodyLeftAtBroker whether its body is too large and still at the broker
     */
    HeldMessage held(Message message, boolean bodyLeftAtBroker, long connectionId) throws JMSException {
        worked = true;
        oneByOne.received();
        String order = built.order;
        return new HeldMessage(
                message,
                bodyLeftAtBroker ? null : readAtOnce(message),
                bodyLeftAtBroker,
                connectionId,
                MessageMapper.id(message),
                order == null ? null : message.getStringProperty(order));
    }

    /** Reads a message whose body would be lost with the next receive; null when it can wait, or is too large. */
    private @Nullable JmsMessage readAtOnce(Message message) throws JMSException {
        if (!MessageMapper.isStreamed(message) || MessageMapper.bodySize(message) > built.maxBody) {
            return null;
        }
        try {
            return JmsMessage.of(message);
        } catch (MessageFormatException unreadable) {
            return null;
        }
    }

    /** The earlier delivery of the same message; null when it is new. */
    @Nullable
    HeldMessage findEarlier(HeldMessage held) {
        HeldMessage earlier = recentOutcomes.enter(held);
        if (earlier != null) {
            counts.recognised.increment();
        }
        return earlier;
    }

    /**
     * Processes a message on the calling thread; afterwards its outcome is known. One that came while the source stopped is given
     * back, because its flow may have ended. Throws nothing.
     */
    void handle(HeldMessage held) {
        if (isStopping()) {
            held.ended(new MessageOutcome.GivenBack());
            return;
        }
        try {
            held.ended(replies.send(held, handling.handle(held), health::isLost));
        } catch (Throwable broken) {
            LOG.error(
                    "message {} of {} is given back because of an internal error: {}",
                    held.id(),
                    subscription(),
                    broken.toString());
            held.ended(new MessageOutcome.GivenBack());
        } finally {
            // A leftover interrupt of the handler must not affect the next message.
            Thread.interrupted();
        }
    }

    /** A message was received. */
    void received() {
        prefetchWindow.take();
        counts.received.increment();
    }

    /** A message was received for a reservation. */
    void receivedReserved() {
        prefetchWindow.takeReserved();
        counts.received.increment();
    }

    /** Reserves capacity for a message to be received, and waits a little for it; false when there is none. */
    boolean reserve() {
        if (!stop.isAsked() && prefetchWindow.tryReserve()) {
            return true;
        }
        LockSupport.parkNanos(this, POLL_NANOS);
        return !stop.isAsked() && prefetchWindow.tryReserve();
    }

    /** No message came for a reservation. */
    void cancelReservation() {
        prefetchWindow.cancelReservation();
    }

    int maxInFlight() {
        return prefetchWindow.maxInFlight();
    }

    /** The message is no longer in flight. */
    void release(HeldMessage held) {
        prefetchWindow.release();
        (held.isGivenBack() ? counts.givenBack : counts.acknowledged).increment();
    }

    /**
     * Whether a message may be sent to its queue again: not if that changes the order, and not to a topic, which has
     * other subscriptions.
     */
    boolean maySendAgain() {
        return built.order == null && subscription().isQueue();
    }

    long nanos() {
        return Ticker.SYSTEM.nanos();
    }

    /** Whether no further message may start. */
    boolean isStopping() {
        return stop.isAsked();
    }

    /** A message in flight that never started and will be delivered again. */
    void dropped(HeldMessage held) {
        prefetchWindow.release();
        recentOutcomes.forget(held);
    }

    /**
     * Whether the broker has to confirm the acknowledgements of these messages before they are recorded as done:
     * messages without a key must not be sent again, and the next suspect may end this process.
     */
    boolean awaitsConfirmation(List<HeldMessage> done) {
        return oneByOne.isOn()
                || (attempts.isOn()
                        && done.stream().anyMatch(held -> attempts.deaths(held) > 0 || handling.isKeyless(held)));
    }

    /** The message was acknowledged, without a confirmation. */
    void acknowledged(HeldMessage held) {
        attempts.ended(held);
    }

    /** The message was acknowledged, or will not be. */
    void settled(HeldMessage held) {
        held.forgetDelivery();
        if (held.isGivenBack()) {
            recentOutcomes.forget(held);
        } else {
            recentOutcomes.settled(held);
        }
    }

    /** The broker has confirmed the acknowledgement. */
    void confirmed(HeldMessage held) {
        held.forgetDelivery();
        recentOutcomes.forget(held);
    }

    int capacityLeft() {
        return stop.isAsked() ? 0 : prefetchWindow.available();
    }

    int inFlight() {
        return prefetchWindow.inFlight();
    }

    /** Whether anything was received since the last call. */
    boolean hasWorked() {
        boolean was = worked;
        worked = false;
        return was;
    }

    void close() {
        closed = true;
    }

    /** Whether no more is received over the current connection. */
    boolean isConnectionOver() {
        return isOver() || oneByOne.isConnectionOver();
    }

    /** Whether receiving has ended. */
    boolean isOver() {
        return closed || (stop.isAsked() && prefetchWindow.inFlight() == 0);
    }
}
