package dev.penstock.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Answered;
import dev.penstock.BatchEndings;
import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Target;
import dev.penstock.Unanswered;
import dev.penstock.flow.Flow;
import dev.penstock.jms.broker.EmbeddedBroker;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The behavior of a target, over any protocol. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JmsTargetContract {
    private static final AtomicInteger QUEUES = new AtomicInteger();

    private EmbeddedBroker embedded;
    private JmsBroker broker;

    abstract EmbeddedBroker start(Path folder) throws Exception;

    abstract JmsBroker at(EmbeddedBroker started);

    @BeforeAll
    void startBroker(@TempDir Path folder) throws Exception {
        embedded = start(folder);
        broker = at(embedded);
    }

    @AfterAll
    void stopBroker() {
        embedded.close();
    }

    EmbeddedBroker embedded() {
        return embedded;
    }

    JmsBroker broker() {
        return broker;
    }

    static String newQueue() {
        return "queue-" + QUEUES.incrementAndGet();
    }

    Inbox inbox(String queue) throws JMSException {
        return new Inbox(broker.factory(), queue);
    }

    static JmsMessage payment(String id) {
        return JmsMessage.text(id).withProperty("payment", id);
    }

    @Test
    void answeredMessageIsAtTheBroker() throws Exception {
        String queue = newQueue();
        try (var target = JmsTarget.at(broker).queue(queue).build();
                Inbox inbox = inbox(queue)) {
            JmsReceipt receipt = target.call(JmsMessage.text("grün")
                    .withProperty("amount", 7L)
                    .withProperty("paid", true)
                    .inGroup("g-1")
                    .withCorrelationId("c-1"));
            Message came = inbox.next();
            JmsMessage read = MessageMapper.read(came);
            assertThat(read.text()).isEqualTo("grün");
            assertThat(read.isText()).isTrue();
            assertThat(read.properties()).containsEntry("amount", 7L).containsEntry("paid", true);
            assertThat(read.group()).isEqualTo("g-1");
            assertThat(read.correlationId()).isEqualTo("c-1");
            assertThat(read.id()).isEqualTo(receipt.messageId()).isNotNull();
            assertThat(came.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
            assertThat(came.getJMSExpiration()).isZero();
        }
    }

    @Test
    void sendsBytesUnchanged() throws Exception {
        String queue = newQueue();
        byte[] body = {0, 1, -1, 127, -128};
        try (var target = JmsTarget.at(broker).queue(queue).build()) {
            target.call(JmsMessage.bytes(body));
        }
        try (Inbox inbox = inbox(queue)) {
            Message came = inbox.next();
            JmsMessage read = MessageMapper.read(came);
            assertThat(read.body()).isEqualTo(body);
            assertThat(read.isText()).isFalse();
            assertThat(inbox.poll()).isNull();
        }
    }

    @Test
    void brokerDropsARepeatWithTheSameKey() throws Exception {
        String queue = newQueue();
        try (var target = JmsTarget.at(broker).queue(queue).key("payment").build()) {
            target.call(payment("p-1"));
            target.call(payment("p-1"));
            target.call(payment("p-2"));
            target.call(JmsMessage.text("none"));
            target.call(JmsMessage.text("none"));
        }
        assertHolds(queue, 4);
    }

    @Test
    void brokerKeepsEqualMessagesWithoutAKey() throws Exception {
        String queue = newQueue();
        try (var target = JmsTarget.at(broker).queue(queue).build()) {
            target.call(payment("p-1"));
            target.call(payment("p-1"));
        }
        assertHolds(queue, 2);
    }

    @Test
    void manyCallersShareFewSessions() throws Exception {
        String queue = newQueue();
        try (var target = JmsTarget.at(broker).queue(queue).sessions(4).build()) {
            all(300, i -> target.call(payment("p-" + i)));
            // A caller gets its answer just before its session is free again.
            await(() -> target.connections().getOrDefault("sessions_leased", -1L) == 0);
            assertThat(target.connections()).containsEntry("opened", 1L);
            assertThat(target.connections().get("sessions_idle")).isBetween(1L, 4L);
        }
        assertHolds(queue, 300);
    }

    @Test
    void batchIsOneCommitInOrder() throws Exception {
        String queue = newQueue();
        List<JmsMessage> messages =
                IntStream.range(0, 200).mapToObj(i -> payment("p-" + i)).toList();
        try (var batch = JmsBatch.over(
                        JmsTarget.at(broker).queue(queue).key("payment").build());
                Inbox inbox = inbox(queue)) {
            BatchEndings<JmsReceipt> endings = batch.call(messages);
            List<String> ids = new ArrayList<>();
            for (int place = 0; place < 200; place++) {
                ids.add(endings.answer(place).messageId());
            }
            assertThat(ids).doesNotContainNull().doesNotHaveDuplicates();
            assertThat(inbox.texts(200))
                    .isEqualTo(messages.stream().map(JmsMessage::text).toList());
        }
    }

    /** By receiving: a broker counts a message a moment after it has confirmed it. */
    private void assertHolds(String queue, int messages) throws Exception {
        try (Inbox inbox = inbox(queue)) {
            for (int i = 0; i < messages; i++) {
                inbox.next();
            }
            assertThat(inbox.poll()).isNull();
        }
    }

    @Test
    void repeatedBatchAddsOnlyTheMissingMessages() throws Exception {
        String queue = newQueue();
        try (var target = JmsTarget.at(broker).queue(queue).key("payment").build();
                var batch = JmsBatch.over(target)) {
            target.call(payment("p-2"));
            BatchEndings<JmsReceipt> endings = batch.call(List.of(payment("p-1"), payment("p-2"), payment("p-3")));
            for (int place = 0; place < 3; place++) {
                assertThat(endings.get(place)).isInstanceOf(Answered.class);
            }
            // The session is reused.
            batch.call(List.of(payment("p-4"), payment("p-5")));
        }
        assertHolds(queue, 5);
    }

    @Test
    void invalidMessageDoesNotFailTheOthers() throws Exception {
        String queue = newQueue();
        JmsMessage bad = new JmsMessage(new byte[0], true, java.util.Map.of("not a name", "x"), JmsMessage.Head.NONE);
        try (var target = JmsTarget.at(broker).queue(queue).build();
                var batch = JmsBatch.over(target)) {
            BatchEndings<JmsReceipt> endings = batch.call(List.of(payment("p-1"), bad, payment("p-3")));
            assertThat(endings.get(0)).isInstanceOf(Answered.class);
            assertThat(endings.get(2)).isInstanceOf(Answered.class);
            assertThat(((Failed) endings.get(1)).why()).isEqualTo(Failed.Cause.REFUSED);
            assertThat(ending(target, bad).why()).isEqualTo(Failed.Cause.REFUSED);
        }
        assertHolds(queue, 2);
    }

    @Test
    void collapsingFlowKeepsTheOrderOfGroups() throws Exception {
        String queue = newQueue();
        try (var batch = JmsBatch.over(JmsTarget.at(broker).queue(queue).build());
                Inbox inbox = inbox(queue)) {
            Flow<JmsMessage, JmsReceipt> flow = Flow.named("payments")
                    .deadline(Duration.ofSeconds(60))
                    .concurrency(JmsBatch.AT_ONCE)
                    .to(batch.collapse());
            // Each caller sends the messages of one group, one after another.
            all(20, group -> {
                for (int i = 0; i < 10; i++) {
                    flow.call(JmsMessage.text(group + "/" + i).inGroup("g-" + group));
                }
                return group;
            });
            List<String> texts = inbox.texts(200);
            for (int group = 0; group < 20; group++) {
                String mine = group + "/";
                assertThat(texts.stream().filter(text -> text.startsWith(mine)))
                        .containsExactlyElementsOf(
                                IntStream.range(0, 10).mapToObj(i -> mine + i).toList());
            }
            assertThat(inbox.isEmpty()).isTrue();
        }
    }

    @Test
    void rejectsACallAfterItsDeadline() throws Exception {
        try (var target = JmsTarget.at(broker).queue(newQueue()).build()) {
            Unanswered ending = catchThrowableOfType(
                    Unanswered.class, () -> Deadline.in(Duration.ofMillis(-1)).call(() -> target.call(payment("p-1"))));
            assertThat(ending.why()).isEqualTo(Rejected.Cause.DEADLINE);
        }
    }

    @Test
    void closedTargetSendsNothing() throws Exception {
        var target = JmsTarget.at(broker).queue(newQueue()).build();
        target.call(payment("p-1"));
        target.close();
        assertThat(ending(target, payment("p-2")).why()).isEqualTo(Rejected.Cause.DRAINING);
        target.close();
    }

    static Unanswered ending(Target<JmsMessage, ?> target, JmsMessage message) {
        return catchThrowableOfType(Unanswered.class, () -> target.call(message));
    }

    static void await(BooleanSupplier holds) {
        while (!holds.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** The work of one of many callers. */
    @FunctionalInterface
    interface Call {
        Object number(int i) throws Exception;
    }

    static void all(int count, Call call) throws Exception {
        try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Object>> calls = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                calls.add(() -> call.number(number));
            }
            for (Future<Object> done : many.invokeAll(calls)) {
                done.get();
            }
        }
    }
}
