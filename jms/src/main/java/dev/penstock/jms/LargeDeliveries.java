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
 * Leaves messages at an AMQP 1.0 broker that are too large for the memory of this process.
 *
 * <h2>Design note</h2>
 *
 * <p>qpid-jms has the whole message in memory before anybody sees it: one of 300 MB made the threads of a process of 128 MB
 * fail, and no message came any more. So this stands between the client and its receivers, and sees each piece of a message.
 * The pieces of one that has become too large are dropped as they come. The delivery stays unsettled: the broker keeps the
 * message, delivers it to nobody else meanwhile, and the messages behind it come. It is not rejected: RabbitMQ drops what is
 * rejected where the queue has no dead-letter exchange.
 *
 * <p>Safe for many threads; the client's own thread does the work.
 */
public final class LargeDeliveries {
    private static final MethodHandle SERIALIZER =
            QpidPeer.field(AmqpProvider.class, "serializer", ScheduledExecutorService.class);
    private static final EnumSet<EndpointState> ANY = EnumSet.allOf(EndpointState.class);

    private final long most;
    private final Runnable left;
    private @Nullable Connection guarded;

    /**
     * Guards no connection yet.
     *
     * @param most how many bytes of a message may come, its properties included
     * @param left is run for each message that is left, on the client's thread
     */
    public LargeDeliveries(long most, Runnable left) {
        this.most = most;
        this.left = left;
    }

    /** Guards the consumers that a connection has now. Does nothing for a connection of another client. */
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
            return; // nothing comes over it any more
        }
    }

    /** Gets the deliveries of a consumer in its place, and passes on those that are not too large. */
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
            if (isNext && dropped == null && delivery.isPartial() && delivery.available() > most) {
                dropped = delivery;
                left.run();
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

    /** Guards the receivers again, which are others after a failover. */
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
