package dev.penstock.jms;

import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.lang.invoke.MethodHandle;
import java.net.URI;
import java.util.EnumSet;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.qpid.jms.JmsConnection;
import org.apache.qpid.jms.JmsConnectionListener;
import org.apache.qpid.jms.message.JmsInboundMessageDispatch;
import org.apache.qpid.jms.provider.ProviderException;
import org.apache.qpid.jms.provider.amqp.AmqpConnection;
import org.apache.qpid.jms.provider.amqp.AmqpConsumer;
import org.apache.qpid.jms.provider.amqp.AmqpEventSink;
import org.apache.qpid.jms.provider.amqp.AmqpProvider;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Receiver;
import org.jspecify.annotations.Nullable;

/**
 * Leaves messages that are too large for the memory of this process at an AMQP 1.0 broker.
 *
 * <h2>Design note</h2>
 *
 * <p>qpid-jms buffers a whole message before it delivers it: one of 300 MB made the threads of a process with 128 MB
 * fail, and no further message arrived. So this class sits between the client and its receivers, and sees each piece of
 * a message. The pieces of a message that has become too large are dropped on arrival. The delivery stays unsettled:
 * the broker keeps the message, does not deliver it elsewhere meanwhile, and delivers the messages behind it. It is not
 * rejected: RabbitMQ drops rejected messages if the queue has no dead-letter exchange.
 *
 * <p>Thread-safe; runs on the client's own thread.
 */
public final class LargeDeliveries {
    private static final MethodHandle SERIALIZER =
            QpidPeer.field(AmqpProvider.class, "serializer", ScheduledExecutorService.class);
    private static final EnumSet<EndpointState> ANY = EnumSet.allOf(EndpointState.class);

    private final long maxBytes;
    private final Runnable onTooLarge;
    private @Nullable Connection guarded;

    /**
     * Guards no connection yet.
     *
     * @param maxBytes the maximum size of a message including its properties, in bytes
     * @param onTooLarge runs for each message that is left at the broker, on the client's thread
     */
    public LargeDeliveries(long maxBytes, Runnable onTooLarge) {
        this.maxBytes = maxBytes;
        this.onTooLarge = onTooLarge;
    }

    /** Guards the current consumers of a connection. Does nothing for connections of other clients. */
    public synchronized void guard(Connection connection) {
        if (!(connection instanceof JmsConnection qpid)) {
            return;
        }
        guardReceivers(connection);
        if (!connection.equals(guarded)) {
            guarded = connection;
            qpid.addConnectionListener(new AfterFailover(connection));
        }
    }

    private void guardReceivers(Connection connection) {
        AmqpProvider provider = QpidPeer.provider(connection);
        AmqpConnection own = provider == null ? null : QpidPeer.connection(provider);
        if (provider == null || own == null) {
            return;
        }
        ScheduledExecutorService thread =
                (ScheduledExecutorService) Objects.requireNonNull(QpidPeer.of(SERIALIZER, provider));
        try {
            thread.execute(() -> {
                for (Link link = own.getEndpoint().linkHead(ANY, ANY); link != null; link = link.next(ANY, ANY)) {
                    if (link instanceof Receiver receiver && link.getContext() instanceof AmqpConsumer consumer) {
                        link.setContext(new Guard(receiver, consumer));
                    }
                }
            });
        } catch (RejectedExecutionException closed) {
            return; // the connection is closed
        }
    }

    /** Receives the deliveries of a consumer in its place, and passes on those that are not too large. */
    private final class Guard implements AmqpEventSink {
        private final Receiver receiver;
        private final AmqpConsumer consumer;
        private @Nullable Delivery dropped;

        Guard(Receiver receiver, AmqpConsumer consumer) {
            this.receiver = receiver;
            this.consumer = consumer;
        }

        @Override
        public void processDeliveryUpdates(AmqpProvider provider, Delivery delivery) throws ProviderException {
            boolean isNext = delivery.equals(receiver.current());
            if (isNext && dropped == null && delivery.isPartial() && delivery.available() > maxBytes) {
                dropped = delivery;
                onTooLarge.run();
            }
            if (!isNext || !delivery.equals(dropped)) {
                consumer.processDeliveryUpdates(provider, delivery);
                return;
            }
            receiver.recv();
            if (!delivery.isPartial()) {
                dropped = null;
                receiver.advance();
            }
        }

        @Override
        public void processRemoteOpen(AmqpProvider provider) throws ProviderException {
            consumer.processRemoteOpen(provider);
        }

        @Override
        public void processRemoteDetach(AmqpProvider provider) throws ProviderException {
            consumer.processRemoteDetach(provider);
        }

        @Override
        public void processRemoteClose(AmqpProvider provider) throws ProviderException {
            consumer.processRemoteClose(provider);
        }

        @Override
        public void processFlowUpdates(AmqpProvider provider) throws ProviderException {
            consumer.processFlowUpdates(provider);
        }
    }

    /** Guards the new receivers after a failover. */
    private final class AfterFailover implements JmsConnectionListener {
        private final Connection connection;

        AfterFailover(Connection connection) {
            this.connection = connection;
        }

        @Override
        public void onConnectionRestored(URI to) {
            guardReceivers(connection);
        }

        @Override
        public void onConnectionEstablished(URI to) {}

        @Override
        public void onConnectionFailure(Throwable why) {}

        @Override
        public void onConnectionInterrupted(URI from) {}

        @Override
        public void onInboundMessage(JmsInboundMessageDispatch message) {}

        @Override
        public void onSessionClosed(Session session, Throwable why) {}

        @Override
        public void onConsumerClosed(MessageConsumer consumer, Throwable why) {}

        @Override
        public void onProducerClosed(MessageProducer producer, Throwable why) {}
    }
}
