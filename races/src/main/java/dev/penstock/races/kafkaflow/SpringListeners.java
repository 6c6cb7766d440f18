package dev.penstock.races.kafkaflow;

import dev.penstock.races.messages.MessageConsumer;
import dev.penstock.races.messages.MessageWork;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.springframework.context.Lifecycle;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultShareConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.ShareKafkaMessageListenerContainer;

/** Spring's containers: of consumers, and of share consumers. */
final class SpringListeners implements MessageConsumer {
    private static final int CONSUMERS = 3;

    /** Each is a client with threads and connections of its own. */
    private static final int SHARE_CONSUMERS = 50;

    private final Lifecycle container;

    private SpringListeners(Lifecycle container) {
        this.container = container;
        container.start();
    }

    private static ContainerProperties listening(String group, MessageWork handling) {
        ContainerProperties properties = new ContainerProperties(Topic.NAME);
        properties.setGroupId(group);
        properties.setMessageListener(
                (MessageListener<byte[], byte[]>) record -> handling.listen(Topic.number(record.value())));
        return properties;
    }

    static SpringListeners classic(String url, MessageWork handling) {
        var container = new ConcurrentMessageListenerContainer<>(
                new DefaultKafkaConsumerFactory<byte[], byte[]>(Topic.consumer(url)), listening(Topic.GROUP, handling));
        container.setConcurrency(CONSUMERS);
        return new SpringListeners(container);
    }

    static SpringListeners shared(String url, MessageWork handling) {
        Map<String, Object> settings = Topic.consumer(url);
        settings.remove(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG); // a setting of the group
        settings.remove(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG);
        settings.remove(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG);
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, Topic.SHARE_GROUP);
        // By default one consumer takes all that a partition has locks for, and the others wait.
        settings.put(ConsumerConfig.SHARE_ACQUIRE_MODE_CONFIG, "record_limit");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, SHARE_CONSUMERS);
        var container = new ShareKafkaMessageListenerContainer<>(
                new DefaultShareConsumerFactory<byte[], byte[]>(settings), listening(Topic.SHARE_GROUP, handling));
        container.setConcurrency(SHARE_CONSUMERS);
        return new SpringListeners(container);
    }

    @Override
    public void close() {
        container.stop();
    }
}
