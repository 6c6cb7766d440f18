package dev.penstock.spring;

import dev.penstock.kafka.source.KafkaSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.support.converter.RecordMessageConverter;

/** Lets {@code @KafkaListener(containerFactory = "penstockKafka")} receive by a source of Penstock. */
@AutoConfiguration(
        after = PenstockAutoConfiguration.class,
        afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@ConditionalOnClass({KafkaListenerContainerFactory.class, KafkaSource.class})
@ConditionalOnBean(PenstockFlows.class)
@ConditionalOnSingleCandidate(ConsumerFactory.class)
public final class PenstockKafkaAutoConfiguration {
    /** For Spring. */
    PenstockKafkaAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "penstockKafka")
    PenstockKafkaListenerContainerFactory<?, ?> penstockKafka(
            PenstockFlows flows,
            ConsumerFactory<?, ?> consumers,
            ObjectProvider<RecordMessageConverter> converter,
            ObjectProvider<KafkaTemplate<?, ?>> replies) {
        var factory = new PenstockKafkaListenerContainerFactory<>(flows, consumers);
        converter.ifUnique(factory::setRecordMessageConverter);
        replies.ifUnique(factory::setReplyTemplate);
        return factory;
    }
}
