package dev.penstock.jms;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sends replies to the destinations that requests name, over a connection of its own, which is opened with the first one. Each
 * is sent by itself, so what the broker does with one changes nothing for another. Safe for many threads.
 */
public final class ReplySender implements AutoCloseable {
    /** The most sessions, and so the most replies on their way at once. */
    private static final int SESSIONS = 64;

    private final SenderSessions senderSessions;
    private final JmsBroker.Kind kind;

    /** A sender that is not connected yet. */
    public ReplySender(JmsBroker broker) {
        this.senderSessions = new SenderSessions(new BrokerConnection(broker, BrokerConnection.Use.EACH), false, SESSIONS, Long.MAX_VALUE);
        this.kind = broker.kind();
    }

    /**
     * Sends a reply, and waits until the broker has it.
     *
     * @param duplicateId the same for a reply that is sent again, by which an Artemis broker drops the second; null for none
     * @param mode as {@link Message#getJMSDeliveryMode()}
     * @param priority 0 to 9
     * @param nanos how long it may take
     * @throws Rejected nothing was sent: no session came free in time, or this sender is closed
     * @throws Failed {@code CONNECT}, there is no connection; {@code REFUSED}, the broker will not take it; {@code
     *     ROLLED_BACK}, it has no room for it
     * @throws Unknown sent, and not confirmed: {@code TIMEOUT}, in time; any other, as the connection broke
     */
    public void send(Destination to, JmsMessage reply, @Nullable String duplicateId, int mode, int priority, long nanos)
            throws Unanswered {
        AtomicReference<@Nullable Thread> sending = new AtomicReference<>();
        try {
            senderSessions.call(
                    sendTask -> {
                        sending.set(Thread.currentThread());
                        SenderSession senderSession = sendTask.senderSession(null);
                        Message written = written(senderSession, reply, duplicateId);
                        sendTask.keeping();
                        senderSession.producer().send(to, written, mode, priority, 0);
                        return to;
                    },
                    nanos);
        } catch (Unanswered ending) {
            // A client waits for ever for an address that blocks who sends; the session is closed then.
            Thread stuck = sending.get();
            if (stuck != null) {
                stuck.interrupt();
            }
            throw ending;
        }
    }

    private Message written(SenderSession senderSession, JmsMessage reply, @Nullable String duplicateId) throws JMSException, Failed {
        try {
            Message written = MessageMapper.write(senderSession.session(), reply);
            if (duplicateId != null && kind == JmsBroker.Kind.ARTEMIS) {
                written.setStringProperty(DuplicateId.PROPERTY, duplicateId);
            }
            return written;
        } catch (JMSException unwritable) {
            JmsFault fault = JmsFault.of(unwritable);
            if (fault.isLost()) {
                throw unwritable;
            }
            throw fault.refused();
        }
    }

    @Override
    public void close() {
        senderSessions.close();
    }
}
