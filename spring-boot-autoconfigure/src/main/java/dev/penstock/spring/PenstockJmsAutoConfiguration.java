package dev.penstock.spring;

import dev.penstock.jms.source.JmsSource;
import jakarta.jms.ConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jms.config.JmsListenerContainerFactory;
import org.springframework.jms.support.converter.MessageConverter;

/** Lets {@code @JmsListener(containerFactory = "penstockJms")} receive by a source of Penstock. */
@AutoConfiguration(
        after = PenstockAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration",
            "org.springframework.boot.jms.autoconfigure.JndiConnectionFactoryAutoConfiguration",
            "org.springframework.boot.artemis.autoconfigure.ArtemisAutoConfiguration",
            "org.springframework.boot.activemq.autoconfigure.ActiveMQAutoConfiguration"
        })
@ConditionalOnClass({JmsListenerContainerFactory.class, ConnectionFactory.class, JmsSource.class})
@ConditionalOnBean(PenstockFlows.class)
@ConditionalOnSingleCandidate(ConnectionFactory.class)
public final class PenstockJmsAutoConfiguration {
    /** For Spring. */
    PenstockJmsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "penstockJms")
    PenstockJmsListenerContainerFactory penstockJms(
            PenstockFlows flows,
            ConnectionFactory broker,
            ObjectProvider<MessageConverter> converter,
            Environment environment) {
        PenstockJmsListenerContainerFactory factory = new PenstockJmsListenerContainerFactory(flows, broker);
        converter.ifUnique(factory::setMessageConverter);
        factory.setPubSubDomain(environment.getProperty("spring.jms.pub-sub-domain", Boolean.class, false));
        factory.setSubscriptionDurable(
                environment.getProperty("spring.jms.subscription-durable", Boolean.class, false));
        return factory;
    }
}
