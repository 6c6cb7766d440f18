package dev.penstock.gateway.kafka;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.RedeliverConfig;
import dev.penstock.gateway.kafka.KafkaReader.TopicConfig;
import org.jspecify.annotations.Nullable;

/** A topic as the source, by the keys of {@link KafkaReader}. Null means absent or {@code auto}. */
record KafkaFrom(
        TopicConfig topic,
        Configured<String> group,
        @Nullable Configured<String> by,
        @Nullable Configured<Integer> inFlight,
        @Nullable Configured<String> key,
        RedeliverConfig redeliver,
        @Nullable Configured<String> deadLetter,
        Configured<Boolean> transactional)
        implements From {
    /** In no order, as a member of a share group. */
    static final String SHARE = "share";

    boolean isShared() {
        return by != null && by.value().equals(SHARE);
    }

    String deadLetterTopic() {
        return deadLetter == null ? topic.name().value() + ".DLQ" : deadLetter.value();
    }

    @Override
    public String kind() {
        return "kafka";
    }

    @Override
    public boolean isQueue() {
        return true;
    }

    @Override
    public boolean hasIds() {
        return true;
    }

    @Override
    public boolean consumes(To target) {
        return target instanceof KafkaTo to && to.toString().equals(toString());
    }

    @Override
    public String toString() {
        return topic.toString();
    }
}
