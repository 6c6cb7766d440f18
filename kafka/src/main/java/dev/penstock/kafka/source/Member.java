package dev.penstock.kafka.source;

import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.jspecify.annotations.Nullable;

/** A consumer of the broker, from opening to closing. For one thread, except {@link #wakeup}. */
interface Member {
    /** Asks the broker for the topic, to find permanent errors. Throws what Kafka's client throws. */
    void ask(Duration timeout);

    /** Receives until it is over. */
    void run(BooleanSupplier isOver);

    /** Ends a call that blocks. */
    void wakeup();

    /** Leaves the group, and closes the consumer. */
    void close(Duration timeout);

    /** The time since a consumer's last heartbeat, in seconds; negative before the first. */
    static @Nullable Metric sinceHeartbeat(Map<MetricName, ? extends Metric> metrics) {
        return metrics.values().stream()
                .filter(metric -> metric.metricName().name().equals("last-heartbeat-seconds-ago"))
                .findFirst()
                .orElse(null);
    }

    /** The value of a metric; 0 for none. */
    static double value(@Nullable Metric metric) {
        return metric != null && metric.metricValue() instanceof Number number ? number.doubleValue() : 0;
    }
}
