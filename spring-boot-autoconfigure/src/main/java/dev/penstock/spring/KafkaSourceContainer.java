package dev.penstock.spring;

import dev.penstock.kafka.KafkaCluster;
import dev.penstock.kafka.KafkaRecord;
import dev.penstock.kafka.source.KafkaSource;
import dev.penstock.kafka.source.KafkaSourceBuilder;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** Receives the records of one {@code @KafkaListener} by a {@link KafkaSource}. */
final class KafkaSourceContainer<K, V> extends AbstractMessageListenerContainer<K, V> {
    private final Map<String, Object> settings;
    private final String topic;
    private final BiConsumer<String, KafkaSourceBuilder> customizer;
    private final Deserializer<? extends K> keys;
    private final Deserializer<? extends V> values;
    private final ListenerFlow flow;

    private record Received<K, V>(KafkaRecord record, ConsumerRecord<K, V> forListener) {}

    KafkaSourceContainer(
            PenstockFlows flows,
            ConsumerFactory<K, V> consumers,
            String topic,
            @Nullable String id,
            BiConsumer<String, KafkaSourceBuilder> customizer) {
        super(consumers, new ContainerProperties(topic));
        this.settings = consumers.getConfigurationProperties();
        this.topic = topic;
        this.customizer = customizer;
        this.keys = deserializer(consumers.getKeyDeserializer(), ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, true);
        this.values =
                deserializer(consumers.getValueDeserializer(), ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, false);
        this.flow = flows.listeners().of(id, topic);
    }

    @SuppressWarnings("unchecked") // as Kafka's client
    private <T> Deserializer<T> deserializer(@Nullable Deserializer<T> given, String property, boolean isKey) {
        if (given != null) {
            return given;
        }
        Object type = Objects.requireNonNull(settings.get(property), property);
        Class<?> known = type instanceof Class<?> found ? found : ClassUtils.resolveClassName(type.toString(), null);
        Deserializer<T> made = (Deserializer<T>) BeanUtils.instantiateClass(known);
        made.configure(settings, isKey);
        return made;
    }

    @Override
    protected void doStart() {
        KafkaSource source = source();
        flow.start(source, source::inFlight);
        setRunning(true);
    }

    private KafkaSource source() {
        if (!(getContainerProperties().getMessageListener() instanceof MessageListener)) {
            throw new IllegalStateException(
                    "a listener of Penstock takes single records, not batches: " + getBeanName());
        }
        KafkaSourceBuilder source = KafkaSource.at(cluster())
                .topic(topic, Objects.requireNonNull(getGroupId(), "a listener needs a groupId"));
        String key = flow.key(KafkaSource.ID);
        if (key != null) {
            source.key(key);
        }
        customizer.accept(topic, source);
        return source.to(
                this::read,
                received -> flow.call(received.record, () -> listen(received.forListener)),
                flow.flow()::capacity);
    }

    /** Of the settings, those that all clients have: the source has its own of consumers. */
    private KafkaCluster cluster() {
        KafkaCluster cluster = KafkaCluster.at(text(settings.get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG)));
        Set<String> common = AdminClientConfig.configNames();
        for (Map.Entry<String, Object> setting : settings.entrySet()) {
            String name = setting.getKey();
            boolean ofConnection = common.contains(name) && !name.equals(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG);
            if (ofConnection && setting.getValue() != null) {
                cluster = cluster.with(name, text(setting.getValue()));
            }
        }
        return cluster;
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case Collection<?> list -> StringUtils.collectionToCommaDelimitedString(list);
            case Class<?> type -> type.getName();
            case null, default -> String.valueOf(value);
        };
    }

    /** A deserializer may be for one thread at a time. */
    private synchronized Received<K, V> read(KafkaRecord record, KafkaSource.Position at) {
        RecordHeaders headers = new RecordHeaders();
        record.headers().forEach(header -> headers.add(header.name(), header.value()));
        K key = keys.deserialize(topic, headers, record.key());
        V value = values.deserialize(topic, headers, record.value());
        return new Received<>(
                record,
                new ConsumerRecord<>(
                        at.topic(),
                        at.partition(),
                        at.offset(),
                        at.timestamp(),
                        TimestampType.CREATE_TIME,
                        length(record.key()),
                        length(record.value()),
                        key,
                        value,
                        headers,
                        Optional.empty()));
    }

    private static int length(byte @Nullable [] bytes) {
        return bytes == null ? ConsumerRecord.NULL_SIZE : bytes.length;
    }

    @SuppressWarnings("unchecked") // the listener takes the records of its container
    private @Nullable Object listen(ConsumerRecord<K, V> record) throws Throwable {
        MessageListener<K, V> listener =
                (MessageListener<K, V>) getContainerProperties().getMessageListener();
        try {
            if (listener instanceof AcknowledgingConsumerAwareMessageListener<K, V> method) {
                method.onMessage(record, null, null);
            } else {
                Objects.requireNonNull(listener).onMessage(record);
            }
            return null;
        } catch (ListenerExecutionFailedException wrapped) {
            throw Objects.requireNonNullElse(wrapped.getCause(), wrapped);
        }
    }

    @Override
    protected void doStop(Runnable callback, boolean normal) {
        flow.stopAccepting(() -> {
            setRunning(false);
            callback.run();
        });
    }

    @Override
    public void destroy() {
        super.destroy();
        flow.close();
    }

    @Override
    public Map<String, Map<MetricName, ? extends Metric>> metrics() {
        return Map.of();
    }
}
