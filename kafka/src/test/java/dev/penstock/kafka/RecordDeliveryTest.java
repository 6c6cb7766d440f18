package dev.penstock.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is known of a record, by the counters of a scripted producer. */
class RecordDeliveryTest {
    /** What the producer does with a record. */
    private interface Script {
        void send(Callback delivery);
    }

    private static final class ScriptedProducer extends MockProducer<byte[], byte[]> {
        private final Map<MetricName, Metric> metrics = new LinkedHashMap<>();
        private volatile Script script = delivery -> {};
        private volatile long sent;
        private volatile long repeated;
        private volatile @Nullable Callback open;

        ScriptedProducer() {
            super(Cluster.empty(), false, null, new ByteArraySerializer(), new ByteArraySerializer());
            count("record-send-total", () -> sent);
            count("record-retry-total", () -> repeated);
            count("connection-creation-total", () -> 1L);
        }

        private void count(String name, Supplier<Long> value) {
            MetricName key = new MetricName(name, "producer-metrics", "", Map.of());
            metrics.put(key, new Metric() {
                @Override
                public MetricName metricName() {
                    return key;
                }

                @Override
                public Object metricValue() {
                    return (double) value.get();
                }
            });
        }

        @Override
        public Map<MetricName, Metric> metrics() {
            return metrics;
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            open = callback;
            script.send(callback);
            return new CompletableFuture<>();
        }

        @Override
        public void close(Duration timeout) {
            super.close(timeout);
            Callback taken = open;
            if (taken != null) {
                fail(taken, new KafkaException("Producer is closed forcefully."));
            }
        }
    }

    private static final TopicPartition PARTITION = new TopicPartition("t", 3);

    private final SendFault faults = new SendFault("topic t at b:9092");
    private final ScriptedProducer producer = new ScriptedProducer();
    private final TopicProducer topicProducer = new TopicProducer(producer, "t");

    private static void answer(Callback callback) {
        callback.onCompletion(new RecordMetadata(PARTITION, 41, 1, -1, 1, 1), null);
    }

    private static void fail(Callback callback, Exception error) {
        callback.onCompletion(new RecordMetadata(PARTITION, -1, -1, -1, -1, -1), error);
    }

    /** As the producer's own thread does. */
    private static void later(Runnable report) {
        Thread.ofVirtual().start(report);
    }

    private KafkaReceipt send(Script script, Duration deadline) throws Unanswered {
        producer.script = script;
        return new RecordDelivery(topicProducer, faults)
                .send(KafkaRecord.text("x"), Ticker.SYSTEM.nanos() + deadline.toNanos());
    }

    private Unanswered ending(Script script, Duration deadline) {
        return catchThrowableOfType(Unanswered.class, () -> send(script, deadline));
    }

    private Unanswered ending(Script script) {
        return ending(script, Duration.ofMinutes(1));
    }

    @Test
    void answersWithPartitionAndOffset() throws Unanswered {
        assertThat(send(delivery -> later(() -> answer(delivery)), Duration.ofMinutes(1)))
                .isEqualTo(new KafkaReceipt("t", 3, 42));
    }

    @Test
    void errorOnTheCallersThreadMeansNotTaken() {
        assertThat(ending(delivery -> fail(delivery, new BufferExhaustedException("full")))
                        .why())
                .isEqualTo(Rejected.Cause.POOL);
        assertThat(ending(delivery -> {
                            throw new InterruptException(new InterruptedException());
                        })
                        .why())
                .isEqualTo(Rejected.Cause.QUEUE);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void refusalIsFinalOnlyWhenNothingWasRepeated() {
        assertThat(ending(delivery -> later(() -> {
                            producer.sent++;
                            fail(delivery, new RecordTooLargeException("2 MB"));
                        }))
                        .why())
                .isEqualTo(Failed.Cause.REFUSED);
        assertThat(ending(delivery -> later(() -> {
                            producer.repeated++;
                            fail(delivery, new RecordTooLargeException("2 MB"));
                        }))
                        .why())
                .isEqualTo(Unknown.Cause.ERROR);
    }

    @Test
    void loginRejectedBeforeAnythingWasSentIsConnect() {
        assertThat(ending(delivery -> later(() -> fail(delivery, new SaslAuthenticationException("no"))))
                        .why())
                .isEqualTo(Failed.Cause.CONNECT);
        assertThat(topicProducer.isDiscarded()).isTrue();
    }

    @Test
    void recordInTheBufferIsWithdrawnBeforeTheDeadlineAfterAStall() {
        Unanswered ending = ending(delivery -> {}, Duration.ofMillis(TopicProducer.STALL_MS + 500));
        assertThat(ending.why()).isEqualTo(Failed.Cause.CONNECT);
        assertThat(ending).hasMessageContaining("withdrawn");
        assertThat(producer.closed()).isTrue();
    }

    @Test
    void deadlineBeforeAStallIsUnknownAndKeepsTheProducer() {
        assertThat(ending(delivery -> {}, Duration.ofMillis(1)).why()).isEqualTo(Unknown.Cause.TIMEOUT);
        assertThat(topicProducer.isDiscarded()).isFalse();
    }

    @Test
    void sentRecordIsUnknownAtTheDeadlineAndKeepsTheProducer() {
        Unanswered ending = ending(delivery -> producer.sent++, Duration.ofMillis(TopicProducer.STALL_MS + 500));
        assertThat(ending.why()).isEqualTo(Unknown.Cause.TIMEOUT);
        assertThat(topicProducer.isDiscarded()).isFalse();
    }

    @Test
    void shortDeadlineAfterAStallWithdrawsToo() {
        assertThat(ending(delivery -> producer.sent++, Duration.ofMillis(TopicProducer.STALL_MS + 500))
                        .why())
                .isEqualTo(Unknown.Cause.TIMEOUT);
        assertThat(ending(delivery -> {}, Duration.ofMillis(1)).why()).isEqualTo(Failed.Cause.CONNECT);
    }

    @Test
    void recordThatIsNotTakenBeginsNoStall() throws Unanswered {
        ending(delivery -> fail(delivery, new RecordTooLargeException("2 MB")));
        send(delivery -> later(() -> answer(delivery)), Duration.ofMinutes(1));
        assertThat(topicProducer.isDiscarded()).isFalse();
    }

    @Test
    void otherCallThatDiscardsTheProducerWithdrawsWhatWasNotSent() {
        assertThat(ending(delivery -> discard()).why()).isEqualTo(Failed.Cause.CONNECT);
    }

    @Test
    void otherCallThatDiscardsTheProducerLeavesWhatWasSentUnknown() {
        assertThat(ending(delivery -> {
                            producer.sent++;
                            discard();
                        })
                        .why())
                .isEqualTo(Unknown.Cause.CLOSED);
    }

    private void discard() {
        CompletableFuture<@Nullable Void> _ = topicProducer.discard();
    }

    @Test
    void errorThrownBeforeAnythingWasSentIsConnect() {
        Unanswered ending = ending(delivery -> {
            producer.open = null;
            throw new NoClassDefFoundError("x/Y");
        });
        assertThat(ending.why()).isEqualTo(Failed.Cause.CONNECT);
        assertThat(ending.isOwnFault()).isTrue();
    }

    @Test
    void errorThrownAfterSendingIsUnknown() {
        Unanswered ending = ending(delivery -> {
            producer.open = null;
            producer.sent++;
            throw new NoClassDefFoundError("x/Y");
        });
        assertThat(ending.why()).isEqualTo(Unknown.Cause.ERROR);
        assertThat(ending.isOwnFault()).isTrue();
    }

    @Test
    void interruptedCallerLeavesAnUnknownRecord() {
        Thread caller = Thread.currentThread();
        assertThat(ending(delivery -> caller.interrupt()).why()).isEqualTo(Unknown.Cause.INTERRUPTED);
        assertThat(Thread.interrupted()).isTrue();
    }
}
