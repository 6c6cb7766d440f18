package dev.penstock.races.kafkaflow;

import dev.penstock.kafka.kit.KafkaBroker;
import dev.penstock.lab.race.Scene;
import dev.penstock.races.messages.ConsumeCourse;
import java.io.IOException;
import java.util.Map;

/** A broker in a separate process, with a topic that was filled before the start. */
final class TopicScene implements Scene {
    private final KafkaBroker broker;
    private final int records;

    /** Starts the broker and fills the topic. */
    TopicScene(int records) throws Exception {
        this.records = records;
        broker = KafkaBroker.start();
        try {
            Topic.create(broker);
            Topic.fill(broker.servers(), records);
        } catch (Exception e) {
            broker.close();
            throw e;
        }
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of(ConsumeCourse.URL, broker.servers(), ConsumeCourse.SENT, String.valueOf(records));
    }

    @Override
    public void close() throws IOException {
        broker.close();
    }
}
