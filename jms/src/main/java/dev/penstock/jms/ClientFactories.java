package dev.penstock.jms;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.jms.policy.JmsDefaultPrefetchPolicy;

/** Makes the clients that are known by a URL. */
final class ClientFactories {
    private static final long MOST_MS = 30_000;
    private static final int KB = 1024;

    private ClientFactories() {}

    /** Artemis by its own protocol. Who reconnects is the source or the target, so that what was in doubt is seen. */
    static ConnectionFactory artemis(String url) throws JMSException {
        try {
            ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url);
            if (!url.contains("reconnectAttempts")) {
                factory.setReconnectAttempts(0);
            }
            return factory;
        } catch (IllegalArgumentException | IllegalStateException bad) {
            throw unreadable(url, bad);
        }
    }

    /** Any broker, by AMQP 1.0. */
    static ConnectionFactory amqp(String url) throws JMSException {
        try {
            return new JmsConnectionFactory(url);
        } catch (IllegalArgumentException | IllegalStateException bad) {
            throw unreadable(url, bad);
        }
    }

    /**
     * A client of our own, told what to wait for.
     *
     * <p>A client gives up a broker that does not answer at all after {@value #MOST_MS} ms; callers do so when their time is
     * up.
     */
    static ConnectionFactory tuned(ConnectionFactory made, BrokerConnection.Use use) {
        if (made instanceof ActiveMQConnectionFactory artemis) {
            artemis.setBlockOnDurableSend(use == BrokerConnection.Use.EACH);
            artemis.setBlockOnNonDurableSend(use == BrokerConnection.Use.EACH);
        } else if (made instanceof JmsConnectionFactory amqp) {
            if (amqp.getPrefetchPolicy() instanceof JmsDefaultPrefetchPolicy policy) {
                policy.setQueueBrowserPrefetch(0); // browsers only ask whether there is a queue
            }
            amqp.setForceSyncSend(use == BrokerConnection.Use.EACH);
            amqp.setSendTimeout(atMost(amqp.getSendTimeout()));
            amqp.setRequestTimeout(atMost(amqp.getRequestTimeout()));
        }
        return made;
    }

    /** A client of our own that holds few messages that nobody asked for yet: another process may have time for them. */
    static ConnectionFactory receiving(ConnectionFactory made, int prefetch) {
        if (made instanceof ActiveMQConnectionFactory artemis) {
            if (artemis.getConsumerWindowSize() == ActiveMQClient.DEFAULT_CONSUMER_WINDOW_SIZE) {
                artemis.setConsumerWindowSize(prefetch * KB);
            }
        } else if (made instanceof JmsConnectionFactory amqp
                && amqp.getPrefetchPolicy() instanceof JmsDefaultPrefetchPolicy policy
                && policy.getQueuePrefetch() == JmsDefaultPrefetchPolicy.DEFAULT_QUEUE_PREFETCH) {
            policy.setQueuePrefetch(prefetch);
            policy.setQueueBrowserPrefetch(0);
            amqp.setRequestTimeout(atMost(amqp.getRequestTimeout()));
            amqp.setSendTimeout(atMost(amqp.getSendTimeout()));
            // What the broker sends ahead is looked for here alone. To ask the broker on each empty look costs a round
            // trip,
            // and RabbitMQ 3.10 ends the session over it (its classic queues do not know "drain").
            amqp.setReceiveLocalOnly(prefetch > 0);
            amqp.setReceiveNoWaitLocalOnly(prefetch > 0);
        }
        return made;
    }

    private static long atMost(long given) {
        return given > 0 ? given : MOST_MS;
    }

    private static JMSException unreadable(String url, RuntimeException cause) {
        JMSException failed = new JMSException(
                "the broker's URL cannot be read: " + JmsBroker.at(url).where() + " (" + cause.getMessage() + ")");
        failed.initCause(cause);
        return failed;
    }

    /** Whether its client tries several addresses, for as long as it was told to, always from the first one on. */
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
