package dev.penstock.jms.source;

import dev.penstock.Ticker;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.LargeDeliveries;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all rungs of the ladder share: room, what is known of messages, and what is done with one. Safe for many threads. */
final class MessageProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(JmsSource.class);
    private static final long LOOK_NANOS = 1_000_000;
    /** A client that has whole messages in memory has this one several times, and others beside it. */
    private static final int PART_OF_MEMORY = 16;
    /** What a message has beside its body. */
    private static final long HEAD = 1 << 20;

    private final JmsSourceBuilder built;
    private final PrefetchWindow prefetchWindow;
    private final MessageHandling handling;
    private final DeliveryAttempts attempts;
    private final SourceReplies replies;
    private final RecentOutcomes known;
    private final SourceStop stop;
    private final JmsSourceCounts counts;
    private final LargeDeliveries large;
    private volatile boolean worked;
    private volatile @Nullable String outage = "it is not connected yet";
    private volatile @Nullable String tooLarge;
    private boolean wasLost;
    private volatile boolean closed;

    MessageProcessor(
            JmsSourceBuilder built,
            PrefetchWindow prefetchWindow,
            MessageHandling handling,
            SourceReplies replies,
            DeliveryAttempts attempts,
            SourceStop stop,
            JmsSourceCounts counts) {
        this.replies = replies;
        this.built = built;
        this.prefetchWindow = prefetchWindow;
        this.handling = handling;
        this.attempts = attempts;
        this.known = new RecentOutcomes(attempts::over);
        this.stop = stop;
        this.counts = counts;
        this.large = new LargeDeliveries(mostAtOnce(built.maxBody()), this::left);
    }

    String queue() {
        return built.queue();
    }

    JmsBroker.Kind kind() {
        return built.broker().kind();
    }

    /**
     * A session to send in beside another that receives. AMQP 1.0 brokers need not have transactions, and RabbitMQ has none:
     * there each message is confirmed by itself, many at the same time.
     */
    Session sendingSession(Connection connection) throws JMSException {
        if (kind() != JmsBroker.Kind.QPID) {
            return connection.createSession(true, Session.SESSION_TRANSACTED);
        }
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        JmsBroker.requireQueue(connection, session, session.createQueue(built.deadLetterQueue()));
        return session;
    }

    /**
     * What this source sends in a session.
     *
     * @param commits whether it commits a transacted session itself
     */
    DeadLetterSender deadLetterSender(Session session, boolean commits) throws JMSException {
        return new DeadLetterSender(session, commits, built.deadLetterQueue(), built.queue(), counts);
    }

    /** A consumer is open: from now on messages come. */
    synchronized void receives() {
        outage = null;
        // Once it is delivered again, that is seen again.
        tooLarge = null;
        if (wasLost) {
            wasLost = false;
            LOG.info("receiving from {} at {} again", queue(), built.broker().where());
        }
    }

    /** No messages come any more. */
    synchronized void lost(String why) {
        outage = why;
        wasLost = true;
    }

    /** Whether no messages come. */
    boolean isLost() {
        return outage != null;
    }

    /** Why no messages come, or one of them cannot; null while they do, and when none are wanted. */
    @Nullable
    String outage() {
        String lost = outage;
        return stop.isAsked() ? null : lost == null ? tooLarge : lost;
    }

    /**
     * Receives in a session of a connection.
     *
     * @param eachAlone as in {@link QueueConsumer#of}
     */
    QueueConsumer consumer(Connection connection, Session session, boolean eachAlone) throws JMSException {
        QueueConsumer consumer = QueueConsumer.of(session, built.queue(), built.maxBody(), eachAlone);
        large.guard(connection);
        return consumer;
    }

    private static long mostAtOnce(long maxBody) {
        return Math.max(maxBody, Runtime.getRuntime().maxMemory() / PART_OF_MEMORY) + HEAD;
    }

    private synchronized void left() {
        if (tooLarge == null) {
            tooLarge = "a message of more than " + mostAtOnce(built.maxBody())
                    + " bytes is too large for the memory of this process and stays at the broker, the others are"
                    + " processed; stop this process and move the message away, or give it more memory (-Xmx)";
            LOG.error("{} at {}: {}", queue(), built.broker().where(), tooLarge);
        }
    }

    /**
     * A message that was just received.
     *
     * @param leftBody whether its body is still at the broker, as it is too large
     */
    HeldMessage held(Message message, boolean leftBody, long link) throws JMSException {
        worked = true;
        String order = built.order();
        return new HeldMessage(
                message,
                leftBody ? null : readAtOnce(message),
                leftBody,
                link,
                message.getJMSMessageID(),
                order == null ? null : message.getStringProperty(order));
    }

    /** What a message says whose body the next receive would discard; null where that can wait, or is too much. */
    private @Nullable JmsMessage readAtOnce(Message message) throws JMSException {
        if (!JmsMessage.isStreamed(message) || JmsMessage.bodySize(message) > built.maxBody()) {
            return null;
        }
        try {
            return JmsMessage.of(message);
        } catch (MessageFormatException unreadable) {
            return null;
        }
    }

    /** The one that this is another delivery of; null when it is new. */
    @Nullable
    HeldMessage known(HeldMessage held) {
        HeldMessage before = known.enter(held);
        if (before != null) {
            counts.recognised.increment();
        }
        return before;
    }

    /** Carries it, on the calling thread; afterwards its outcome is known. Throws nothing. */
    void handle(HeldMessage held) {
        try {
            held.ended(replies.send(held, handling.handle(held), this::isLost));
        } catch (Throwable broken) {
            LOG.error("message {} of {} is given back: {}", held.id(), queue(), broken.toString());
            held.ended(new MessageOutcome.GivenBack());
        } finally {
            // What a handler left behind is not the next one's.
            Thread.interrupted();
        }
    }

    /** A message is in hand. */
    void took() {
        prefetchWindow.take();
        counts.received.increment();
    }

    /** A message is in hand, for which a place was kept. */
    void tookKept() {
        prefetchWindow.takeKept();
        counts.received.increment();
    }

    /**
     * Keeps a place for a message that is to be received.
     *
     * @param waits whether to wait a little for one
     * @return whether there was one
     */
    boolean keepsPlace(boolean waits) {
        if (stop.isAsked()) {
            LockSupport.parkNanos(this, LOOK_NANOS);
            return false;
        }
        if (prefetchWindow.tryKeep()) {
            return true;
        }
        if (waits) {
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        return waits && prefetchWindow.tryKeep();
    }

    /** No message came for a place that was kept. */
    void tookNothing() {
        prefetchWindow.keepNoLonger();
    }

    int bound() {
        return prefetchWindow.bound();
    }

    /** It is in hand no more. */
    void leaves(HeldMessage held) {
        prefetchWindow.giveBack();
        (held.isGivenBack() ? counts.givenBack : counts.acknowledged).increment();
    }

    /** Whether messages of a key are carried in the order of the queue. */
    boolean keepsOrder() {
        return built.order() != null;
    }

    long nanos() {
        return Ticker.SYSTEM.nanos();
    }

    /** Whether nothing more is to begin. */
    boolean isStopping() {
        return stop.isAsked();
    }

    /** It was in hand, never began, and will be delivered again. */
    void dropped(HeldMessage held) {
        prefetchWindow.giveBack();
        known.forget(held);
    }

    /**
     * Whether the broker has to confirm the acknowledgements of these before they are noted as done: those without a key may not be
     * sent again, and after a crash the next suspect may end this process.
     */
    boolean awaitsConfirmation(List<HeldMessage> done) {
        return attempts.isOn() && (attempts.hasSuspects() || done.stream().anyMatch(handling::isKeyless));
    }

    /** The broker was told what became of it, and need not confirm it. */
    void acknowledged(HeldMessage held) {
        attempts.over(held);
    }

    /** The broker was told what became of it, or it is not to be. */
    void told(HeldMessage held) {
        held.letGo();
        if (held.isGivenBack()) {
            known.forget(held);
        } else {
            known.told(held);
        }
    }

    /** The broker has confirmed that it was told. */
    void confirmed(HeldMessage held) {
        held.letGo();
        known.forget(held);
    }

    int roomLeft() {
        return stop.isAsked() ? 0 : prefetchWindow.left();
    }

    int inHand() {
        return prefetchWindow.inHand();
    }

    /** Whether anything was received since the last time this was asked. */
    boolean hasWorked() {
        boolean was = worked;
        worked = false;
        return was;
    }

    void close() {
        closed = true;
    }

    /** Whether receiving has come to its end. */
    boolean isOver() {
        return closed || (stop.isAsked() && prefetchWindow.inHand() == 0);
    }
}
