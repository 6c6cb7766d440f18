package dev.penstock.jms;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.jms.SenderSessions.SenderSession;
import jakarta.jms.Destination;
import jakarta.jms.Message;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sends replies to the destinations that requests name, over a connection of its own, opened with the first reply. Each
 * reply is sent separately, so that a refused one does not affect others. Thread-safe.
 */
public final class ReplySender implements AutoCloseable {
    /** The maximum number of sessions, and so of concurrent sends. */
    private static final int SESSIONS = 64;

    private final SenderSessions senderSessions;
    private final JmsBroker.Kind kind;

    /** Does not connect yet. */
    public ReplySender(JmsBroker broker) {
        this.senderSessions = new SenderSessions(
                new BrokerConnection(broker, BrokerConnection.Use.EACH), false, SESSIONS, Long.MAX_VALUE);
        this.kind = broker.kind();
    }

    /**
     * Sends a reply, and waits until the broker has it.
     *
     * @param duplicateId the same for a reply that is sent again, by which an Artemis broker drops the second; null
     *     for none
     * @param mode as {@link Message#getJMSDeliveryMode()}
     * @param priority 0 to 9
     * @param nanos the time limit, in nanoseconds
     * @throws Rejected nothing was sent: no session was free in time, or this sender is closed
     * @throws Failed {@code CONNECT}, no connection; {@code REFUSED}, the broker refused the reply; {@code
     *     ROLLED_BACK}, it has no space for it
     * @throws Unknown sent, and not confirmed: {@code TIMEOUT}, not in time; any other cause, the connection was lost
     */
    public void send(Destination to, JmsMessage reply, @Nullable String duplicateId, int mode, int priority, long nanos)
            throws Unanswered {
        String detected = kind == JmsBroker.Kind.ARTEMIS ? duplicateId : null;
        AtomicReference<@Nullable Thread> sending = new AtomicReference<>();
        try {
            senderSessions.call(
                    sendTask -> {
                        sending.set(Thread.currentThread());
                        SenderSession senderSession = sendTask.senderSession(null);
                        Message converted = MessageSender.write(senderSession, reply, detected);
                        sendTask.committing();
                        senderSession.producer().send(to, converted, mode, priority, 0);
                        return to;
                    },
                    nanos);
        } catch (Unanswered ending) {
            // A client waits for ever for an address that blocks senders; the session is closed then.
            Thread stuck = sending.get();
            if (stuck != null) {
                stuck.interrupt();
            }
            throw ending;
        }
    }

    @Override
    public void close() {
        senderSessions.close();
    }
}
