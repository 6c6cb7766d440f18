package dev.penstock.spring;

import dev.penstock.kafka.source.KafkaSource;
import dev.penstock.kafka.source.KafkaSourceBuilder;
import java.util.Collection;
import java.util.function.BiConsumer;
import org.springframework.kafka.config.AbstractKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.core.ConsumerFactory;

/**
 * Lets methods with {@code @KafkaListener(containerFactory = "penstockKafka")} receive by a {@link KafkaSource}: those with the same record key
 * one after the other, others concurrently, each record when its flow has a permit. It is completed after the method has returned, and becomes a
 * dead letter when it cannot be processed.
 *
 * <p>The flow is the one without {@code to} in {@code penstock.flows} that has the id of the listener, or without an id the name of
 * the topic; otherwise one with Penstock's defaults. An exception of the method is an unknown ending: the record is tried again if the flow is
 * {@code idempotent}, or has a {@code dedupe.key} or {@code retry.key}, which names a header; without, it is a dead letter at once. A
 * listener has one topic and a group. Batches, acknowledgements, error handlers, interceptors and transactions of Spring have no effect, or
 * are refused.
 *
 * @param <K> the key of records
 * @param <V> their value
 */
public final class PenstockKafkaListenerContainerFactory<K, V>
        extends AbstractKafkaListenerContainerFactory<KafkaSourceContainer<K, V>, K, V> {
    private final PenstockFlows flows;
    private final ConsumerFactory<K, V> consumers;
    private BiConsumer<String, KafkaSourceBuilder> customizer = (_, _) -> {};

    /**
     * A factory, for a bean that replaces that of the auto-configuration.
     *
     * @param flows of the application
     * @param consumers whose servers, security and deserializers the sources have
     */
    public PenstockKafkaListenerContainerFactory(PenstockFlows flows, ConsumerFactory<K, V> consumers) {
        this.flows = flows;
        this.consumers = consumers;
        setConsumerFactory(consumers);
    }

    /**
     * Completes each source before it is built, for instance with {@link KafkaSourceBuilder#redeliver}.
     *
     * @param source called with the name of the topic, and its source
     * @return this
     */
    public PenstockKafkaListenerContainerFactory<K, V> customize(BiConsumer<String, KafkaSourceBuilder> source) {
        customizer = source;
        return this;
    }

    @Override
    protected KafkaSourceContainer<K, V> createContainerInstance(KafkaListenerEndpoint endpoint) {
        Collection<String> topics = endpoint.getTopics();
        if (topics == null || topics.size() != 1) {
            throw new IllegalArgumentException(
                    "a listener of Penstock has one topic; name it in topics, and add a listener for each other one");
        }
        return new KafkaSourceContainer<>(flows, consumers, topics.iterator().next(), endpoint.getId(), customizer);
    }
}
