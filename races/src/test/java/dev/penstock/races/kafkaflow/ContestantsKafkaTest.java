package dev.penstock.races.kafkaflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kafka.kit.KafkaBroker;
import dev.penstock.races.messages.ConsumeCourse;
import dev.penstock.races.messages.MessageConsumer;
import dev.penstock.races.messages.MessageWork;
import dev.penstock.races.messages.MessageWork.HandlerTime;
import dev.penstock.races.messages.MessageWork.MessageAudit;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each contestant handles every record once; those that keep the order of a key, in that order. */
@Timeout(120)
class ContestantsKafkaTest {
    private static final int RECORDS = 3 * Topic.KEYS;

    /** Confluent's parallel-consumer runs only in a JVM with an older client. */
    static List<String> all() {
        return KafkaFlowContestants.ALL.names().stream()
                .filter(name -> !name.startsWith("parallel-"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("all")
    void handlesEveryRecordOnce(String contestant) throws Exception {
        OrderedWork handling = new OrderedWork();
        try (KafkaBroker broker = Topic.broker()) {
            Topic.fill(broker.servers(), RECORDS);
            try (MessageConsumer _ = KafkaFlowContestants.ALL.named(contestant).at(broker.servers(), handling)) {
                while (handling.ended() < RECORDS && !Thread.currentThread().isInterrupted()) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
            handling.awaitIdle();

            assertThat(Topic.all(broker.servers())).hasSize(RECORDS);
            assertThat(MessageAudit.of(
                            handling,
                            Topic.left(
                                    broker.servers(),
                                    KafkaFlowContestants.group(contestant),
                                    number -> handling.times(number) > 0)))
                    .isEqualTo(new MessageAudit(0, 0));
        }
        if (!contestant.equals(ConsumeCourse.UNTHROTTLED)) {
            assertThat(handling.inFlightMax()).isBetween(1, ConsumeCourse.BOUND);
        }
        if (KafkaFlowContestants.ORDERED.contains(contestant) || contestant.equals(KafkaFlowContestants.PENSTOCK)) {
            assertThat(handling.outOfOrder.get()).isZero();
        }
    }

    /** Counts the records that began before the one with the same key had ended. */
    private static final class OrderedWork extends MessageWork {
        private final AtomicInteger outOfOrder = new AtomicInteger();

        OrderedWork() {
            super(new HandlerTime(1, 3), 1, RECORDS);
        }

        @Override
        protected int millis(int number) {
            if (number >= Topic.KEYS && times(number - Topic.KEYS) == 0) {
                outOfOrder.incrementAndGet();
            }
            return super.millis(number);
        }
    }
}
