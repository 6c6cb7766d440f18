package dev.penstock.jms;

import dev.penstock.BatchEndings;
import dev.penstock.CallContext;
import dev.penstock.Collapse;
import dev.penstock.Observation;
import dev.penstock.Target;
import dev.penstock.Unanswered;
import dev.penstock.collapse.KeyGate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Sends the messages of many transactions in one commit. Each transaction still has its own ending; a message that the
 * broker refuses does not affect the others.
 *
 * <pre>{@code
 * var target = JmsTarget.at(broker).queue("payments").key("payment").build();
 * Flow<JmsMessage, JmsReceipt> payments = Flow.named("payments")
 *         .deadline(Duration.ofSeconds(2))
 *         .retry(Retry.byKey("payment"))
 *         .adaptiveConcurrency(1, JmsBatch.AT_ONCE)
 *         .to(JmsBatch.over(target).collapse());
 * }</pre>
 *
 * <h2>Endings</h2>
 *
 * <p>As for {@link JmsTarget}, with one difference. If the connection is lost before the commit was sent, nothing was
 * committed: those messages are {@link dev.penstock.Failed} with cause {@code ROLLED_BACK}, and may be retried. If it
 * is lost between the commit and its answer, all are {@link dev.penstock.Unknown}; those with a key may be retried. If
 * the broker rolls a batch back because it refuses a message or detects a duplicate, the messages are sent one by one.
 *
 * <p>A broker known to have no transactions (RabbitMQ over AMQP 1.0) confirms each message of a batch separately, all
 * in flight at the same time. There a lost connection leaves each unconfirmed message unknown.
 *
 * <h2>Order</h2>
 *
 * <p>Messages keep their order within a batch. Batches run concurrently, but a batch waits for an earlier batch in
 * flight that contains a message of the same {@linkplain JmsMessage#group group}. A message that was not answered and
 * is sent again comes later.
 *
 * <p>Thread-safe.
 */
public final class JmsBatch implements Target.Converting<List<JmsMessage>, BatchEndings<JmsReceipt>> {
    /** The default maximum number of messages in a batch: a commit costs the same for any number. */
    public static final int MAX = 500;

    /**
     * The recommended maximum number of concurrent batches, for {@code adaptiveConcurrency(1, AT_ONCE)}. A broker writes one
     * journal; more batches would only be smaller.
     */
    public static final int AT_ONCE = 4;

    private static final double MARGIN = 0.1;
    private static final long MAX_MARGIN_NANOS = 50_000_000;

    private final JmsTarget target;
    private final SenderSessions senderSessions;
    private final KeyGate gate = new KeyGate();

    private JmsBatch(JmsTarget target) {
        this.target = target;
        SenderSessions single = target.senderSessions();
        JmsBroker broker = single.brokerConnection().broker();
        this.senderSessions = new SenderSessions(
                new BrokerConnection(broker, BrokerConnection.Use.COMMITS),
                !RabbitMq.isAddress(broker, target.sender().to().name()),
                single.maxSessions(),
                single.maxNanos());
    }

    /**
     * Batches the messages of a target, over a connection of its own.
     *
     * @param target closed with this batch
     */
    public static JmsBatch over(JmsTarget target) {
        return new JmsBatch(target);
    }

    /**
     * A collapse stage over this target, with at most {@value #MAX} messages in a batch by default. Two messages with
     * the same key are never in the same batch.
     */
    public Collapse<JmsMessage, JmsReceipt> collapse() {
        // Refused messages are isolated here, so the stage must not split batches.
        Collapse<JmsMessage, JmsReceipt> all =
                Collapse.intoEndings(this).whole().max(MAX);
        String key = target.sender().duplicateId().key();
        return key == null ? all : all.unique(message -> message.key(key));
    }

    /**
     * Sends a batch.
     *
     * @return an ending for each message
     * @throws dev.penstock.Rejected nothing was sent: {@code DEADLINE}, the deadline was exceeded; {@code POOL}, no session was
     *     available in time; {@code QUEUE}, interrupted while waiting for an earlier batch of the same group
     * @throws dev.penstock.Failed {@code CONNECT}, no connection to the broker; {@code ROLLED_BACK} and {@code UNDONE},
     *     nothing was committed
     * @throws dev.penstock.Unknown when it is unknown whether the commit took effect
     */
    @Override
    public BatchEndings<JmsReceipt> call(List<JmsMessage> messages) throws Unanswered {
        List<@Nullable String> groups = new ArrayList<>();
        messages.forEach(message -> groups.add(message.group()));
        return gate.inTurn(
                groups, senderSessions.nanosLeft(), "an earlier batch of the same group", () -> run(traced(messages)));
    }

    /** Each message continues the trace of its own transaction. */
    private List<JmsMessage> traced(List<JmsMessage> messages) {
        Observation observation = CallContext.currentObservation();
        if (observation == null) {
            return messages;
        }
        target.describe(observation);
        int size = messages.size();
        return IntStream.range(0, size)
                .mapToObj(index ->
                        JmsTarget.traced(messages.get(index), fields -> observation.propagate(index, size, fields)))
                .toList();
    }

    private BatchEndings<JmsReceipt> run(List<JmsMessage> messages) throws Unanswered {
        if (messages.size() < 2) {
            return oneByOne(messages);
        }
        // Reserves some time, so that callers learn before their deadline that the batch was rolled back.
        long nanosLeft = senderSessions.nanosLeft();
        long limit = nanosLeft - Math.min(MAX_MARGIN_NANOS, (long) (nanosLeft * MARGIN));
        BatchEndings<JmsReceipt> together = senderSessions
                .call(sendTask -> new MessageBatch(target.sender(), messages).run(sendTask), limit)
                .orElse(null);
        return together == null ? oneByOne(messages) : together;
    }

    private BatchEndings<JmsReceipt> oneByOne(List<JmsMessage> messages) {
        BatchEndings.Builder<JmsReceipt> endings = BatchEndings.ofSize(messages.size());
        for (int index = 0; index < messages.size(); index++) {
            try {
                endings.answered(index, target.send(messages.get(index)));
            } catch (Unanswered ending) {
                endings.ended(index, ending);
            }
        }
        return endings.build();
    }

    @Override
    public JmsTarget target() {
        return target;
    }

    @Override
    public Map<String, Long> connections() {
        Map<String, Long> all = new TreeMap<>(target.connections());
        senderSessions.connections().forEach((state, count) -> all.merge(state, count, Long::sum));
        return all;
    }

    @Override
    public void close() {
        senderSessions.close();
        target.close();
    }

    @Override
    public String toString() {
        return "batches to " + target;
    }
}
