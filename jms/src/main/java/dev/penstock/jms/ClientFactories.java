package dev.penstock.jms;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.jms.policy.JmsDefaultPrefetchPolicy;

/** Creates the connection factories for broker URLs, whose parameters take precedence. */
final class ClientFactories {
    private static final long MAX_WAIT_MS = 30_000;
    private static final int KB = 1024;

    private ClientFactories() {}

    /**
     * Artemis, with its own protocol. The client does not reconnect by default: the source or target does, so that unknown
     * outcomes are noticed.
     *
     * @param prefetch the number of messages of 1 KB to prefetch: another process may have capacity for more
     */
    static ConnectionFactory artemis(String url, int prefetch) throws JMSException {
        try {
            ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url);
            if (factory.getConsumerWindowSize() == ActiveMQClient.DEFAULT_CONSUMER_WINDOW_SIZE) {
                factory.setConsumerWindowSize(prefetch * KB);
            }
            return factory;
        } catch (IllegalArgumentException | IllegalStateException bad) {
            throw invalidUrl(url, bad);
        }
    }

    /**
     * Any broker, with AMQP 1.0. The client gives up after {@value #MAX_WAIT_MS} ms without any answer from the broker;
     * callers give up at their deadline.
     *
     * @param prefetch the number of messages to prefetch
     */
    static ConnectionFactory amqp(String url, int prefetch) throws JMSException {
        try {
            JmsDefaultPrefetchPolicy policy = new JmsDefaultPrefetchPolicy();
            policy.setAll(prefetch);
            policy.setQueueBrowserPrefetch(0); // browsers are only used to check that a queue exists
            JmsConnectionFactory factory = new JmsConnectionFactory();
            factory.setPrefetchPolicy(policy);
            factory.setSendTimeout(MAX_WAIT_MS);
            factory.setRequestTimeout(MAX_WAIT_MS);
            factory.setRemoteURI(url);
            // Receives only look at prefetched messages. Otherwise each empty receive costs a round trip, and
            // RabbitMQ 3.10 ends the session over it (its classic queues do not support "drain").
            boolean isPrefetched = policy.getQueuePrefetch() > 0;
            factory.setReceiveLocalOnly(isPrefetched);
            factory.setReceiveNoWaitLocalOnly(isPrefetched);
            return factory;
        } catch (IllegalArgumentException | IllegalStateException bad) {
            throw invalidUrl(url, bad);
        }
    }

    /** Configures which calls of a client that Penstock created wait for the broker. */
    static ConnectionFactory tuned(ConnectionFactory factory, BrokerConnection.Use use) {
        boolean waits = use == BrokerConnection.Use.EACH;
        if (factory instanceof ActiveMQConnectionFactory artemis) {
            artemis.setBlockOnDurableSend(waits);
            artemis.setBlockOnNonDurableSend(waits);
        } else if (factory instanceof JmsConnectionFactory amqp) {
            amqp.setForceSyncSend(waits);
        }
        return factory;
    }

    private static JMSException invalidUrl(String url, RuntimeException cause) {
        JMSException failed =
                new JMSException("invalid broker URL: " + JmsBroker.at(url).where() + " (" + cause.getMessage() + ")");
        failed.initCause(cause);
        return failed;
    }

    /**
     * Whether the client tries several addresses itself, for its configured time, always starting with the first one.
     */
    static boolean isFailover(ConnectionFactory factory) {
        return factory instanceof JmsConnectionFactory amqp
                && amqp.getRemoteURI().startsWith("failover:");
    }

    static JmsBroker.Kind kind(ConnectionFactory factory) {
        return switch (factory) {
            // With the prefixes of version 1, destinations have other names.
            case ActiveMQConnectionFactory artemis when !artemis.isEnable1xPrefixes() -> JmsBroker.Kind.ARTEMIS;
            case JmsConnectionFactory _ -> JmsBroker.Kind.QPID;
            default -> JmsBroker.Kind.OTHER;
        };
    }
}
