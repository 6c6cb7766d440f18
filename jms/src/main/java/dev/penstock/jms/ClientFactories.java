package dev.penstock.jms;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.jms.policy.JmsDefaultPrefetchPolicy;

/** Creates the connection factories for broker URLs. */
final class ClientFactories {
    private static final long MAX_WAIT_MS = 30_000;
    private static final int KB = 1024;

    private ClientFactories() {}

    /**
     * Artemis, with its own protocol. Automatic reconnection is off: the source or target reconnects, so that unknown
     * outcomes are noticed.
     */
    static ConnectionFactory artemis(String url) throws JMSException {
        try {
            ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url);
            if (!url.contains("reconnectAttempts")) {
                factory.setReconnectAttempts(0);
            }
            return factory;
        } catch (IllegalArgumentException | IllegalStateException bad) {
            throw invalidUrl(url, bad);
        }
    }

    /** Any broker, with AMQP 1.0. */
    static ConnectionFactory amqp(String url) throws JMSException {
        try {
            return new JmsConnectionFactory(url);
        } catch (IllegalArgumentException | IllegalStateException bad) {
            throw invalidUrl(url, bad);
        }
    }

    /**
     * Configures which calls of a client that Penstock created wait for the broker.
     *
     * <p>The client gives up after {@value #MAX_WAIT_MS} ms without any answer from the broker; callers give up at
     * their deadline.
     */
    static ConnectionFactory tuned(ConnectionFactory factory, BrokerConnection.Use use) {
        if (factory instanceof ActiveMQConnectionFactory artemis) {
            artemis.setBlockOnDurableSend(use == BrokerConnection.Use.EACH);
            artemis.setBlockOnNonDurableSend(use == BrokerConnection.Use.EACH);
        } else if (factory instanceof JmsConnectionFactory amqp) {
            if (amqp.getPrefetchPolicy() instanceof JmsDefaultPrefetchPolicy policy) {
                policy.setQueueBrowserPrefetch(0); // browsers are only used to check that a queue exists
            }
            amqp.setForceSyncSend(use == BrokerConnection.Use.EACH);
            amqp.setSendTimeout(limited(amqp.getSendTimeout()));
            amqp.setRequestTimeout(limited(amqp.getRequestTimeout()));
        }
        return factory;
    }

    /**
     * Configures a client that Penstock created to prefetch few messages: another process may have capacity for them.
     */
    static ConnectionFactory receiving(ConnectionFactory factory, int prefetch) {
        if (factory instanceof ActiveMQConnectionFactory artemis) {
            if (artemis.getConsumerWindowSize() == ActiveMQClient.DEFAULT_CONSUMER_WINDOW_SIZE) {
                artemis.setConsumerWindowSize(prefetch * KB);
            }
        } else if (factory instanceof JmsConnectionFactory amqp
                && amqp.getPrefetchPolicy() instanceof JmsDefaultPrefetchPolicy policy
                && hasDefaults(policy)) {
            policy.setAll(prefetch);
            policy.setQueueBrowserPrefetch(0);
            amqp.setRequestTimeout(limited(amqp.getRequestTimeout()));
            amqp.setSendTimeout(limited(amqp.getSendTimeout()));
            // Receives only look at prefetched messages. Otherwise each empty receive costs a round trip, and
            // RabbitMQ 3.10 ends the session over it (its classic queues do not support "drain").
            amqp.setReceiveLocalOnly(prefetch > 0);
            amqp.setReceiveNoWaitLocalOnly(prefetch > 0);
        }
        return factory;
    }

    private static boolean hasDefaults(JmsDefaultPrefetchPolicy policy) {
        return policy.getQueuePrefetch() == JmsDefaultPrefetchPolicy.DEFAULT_QUEUE_PREFETCH
                && policy.getTopicPrefetch() == JmsDefaultPrefetchPolicy.DEFAULT_TOPIC_PREFETCH
                && policy.getDurableTopicPrefetch() == JmsDefaultPrefetchPolicy.DEFAULT_DURABLE_TOPIC_PREFETCH;
    }

    private static long limited(long configured) {
        return configured > 0 ? configured : MAX_WAIT_MS;
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
            case ActiveMQConnectionFactory _ -> JmsBroker.Kind.ARTEMIS;
            case JmsConnectionFactory _ -> JmsBroker.Kind.QPID;
            default -> JmsBroker.Kind.OTHER;
        };
    }
}
