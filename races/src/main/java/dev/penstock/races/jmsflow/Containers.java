package dev.penstock.races.jmsflow;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageListener;
import java.time.Duration;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/** Spring's container, configured the same for all of its contestants. */
final class Containers {
    private Containers() {}

    static <C extends DefaultMessageListenerContainer> C configure(
            C container, ConnectionFactory factory, Duration receive, MessageListener listener) {
        container.setConnectionFactory(factory);
        container.setDestinationName(Backlog.QUEUE);
        container.setReceiveTimeout(receive.toMillis());
        container.setMessageListener(listener);
        return container;
    }

    static void start(DefaultMessageListenerContainer container) {
        container.afterPropertiesSet();
        container.start();
    }
}
