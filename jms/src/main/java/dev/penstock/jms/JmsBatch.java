package dev.penstock.jms;

import dev.penstock.Rejected;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.Unanswered;
import dev.penstock.collapse.Collapse;
import dev.penstock.collapse.BatchEndings;
import dev.penstock.collapse.KeyGate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends the messages of many transactions by one commit. Each still has its own ending; one that the broker refuses takes no
 * other down.
 *
 * <pre>{@code
 * var target = JmsTarget.at(broker).queue("payments").key("payment").build();
 * Flow<JmsMessage, JmsReceipt> payments = Flow.named("payments")
 *         .deadline(Duration.ofSeconds(2))
 *         .retry(Retry.byKey("payment"))
 *         .limit(1, JmsBatch.AT_ONCE)
 *         .to(JmsBatch.over(target).collapse());
 * }</pre>
 *
 * <h2>How they end</h2>
 *
 * <p>As {@link JmsTarget} says, but that a connection which ends before the commit was sent is known to have kept nothing:
 * those messages are {@link dev.penstock.Failed}, cause {@code ROLLED_BACK}, and may be repeated. One that ends between the
 * commit and its answer leaves them all {@link dev.penstock.Unknown}; those that have a key may be repeated then. When the
 * broker undoes a batch since it has one of its messages already, or refuses one, they are sent one by one.
 *
 * <p>A broker that is known to have no transactions (RabbitMQ by AMQP 1.0) confirms each message of a batch by itself, all at
 * the same time. There a connection that ends leaves each message that was not confirmed unknown.
 *
 * <h2>Order</h2>
 *
 * <p>A batch keeps the order of its messages. Batches run at the same time, but a batch waits for an earlier one that is
 * still out and has a message of the same {@linkplain JmsMessage#group group}. What ended otherwise than answered, and is
 * sent again, comes later.
 *
 * <p>Safe for many threads.
 */
public final class JmsBatch implements Target<List<JmsMessage>, BatchEndings<JmsReceipt>> {
    /** How many messages a batch has at most, by default: a commit costs the same for all. */
    public static final int MAX = 500;

    /**
     * How many batches are worth having at a broker at once, for {@code limit(1, AT_ONCE)}: it writes one journal, and more
     * of them at once only make each batch smaller.
     */
    public static final int AT_ONCE = 4;

    private static final double MARGIN = 0.1;
    private static final long MOST_MARGIN = 50_000_000;

    private final JmsTarget target;
    private final SenderSessions senderSessions;
    private final KeyGate gate = new KeyGate();

    private JmsBatch(JmsTarget target) {
        this.target = target;
        SenderSessions single = target.senderSessions();
        this.senderSessions =
                new SenderSessions(new BrokerConnection(single.brokerConnection().broker(), BrokerConnection.Use.COMMITS), true, single.most(), single.mostNanos());
    }

    /**
     * Batches of what a target sends, over a connection of their own.
     *
     * @param target closed with this
     */
    public static JmsBatch over(JmsTarget target) {
        return new JmsBatch(target);
    }

    /**
     * Collapses into these batches, each of {@value #MAX} messages at most unless told otherwise. Two messages of the same
     * key never travel in one batch.
     */
    public Collapse<JmsMessage, JmsReceipt> collapse() {
        // Who is to blame is found out here.
        Collapse<JmsMessage, JmsReceipt> all =
                Collapse.intoEndings(this).whole().max(MAX);
        String key = target.sender().duplicateId().key();
        return key == null ? all : all.unique(message -> message.key(key));
    }

    /**
     * Sends a batch.
     *
     * @return an ending for each message
     * @throws Rejected nothing was sent: {@code DEADLINE}, the time was up first; {@code POOL}, no session came free
     * @throws dev.penstock.Failed {@code CONNECT}, there is no connection to the broker; {@code ROLLED_BACK}, {@code
     *     UNDONE}, nothing was kept
     * @throws dev.penstock.Unknown nobody knows whether the commit was taken
     */
    @Override
    public BatchEndings<JmsReceipt> call(List<JmsMessage> messages) throws Unanswered {
        List<@Nullable String> groups = new ArrayList<>();
        messages.forEach(message -> groups.add(message.group()));
        try (KeyGate.Pass pass = gate.enter(groups)) {
            if (!pass.await(senderSessions.left())) {
                throw new Rejected(
                        Rejected.Cause.DEADLINE, "the time was up before an earlier batch of the same group was back");
            }
            return run(messages);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new Rejected(Rejected.Cause.QUEUE, "interrupted before an earlier batch of the same group was back");
        }
    }

    private BatchEndings<JmsReceipt> run(List<JmsMessage> messages) throws Unanswered {
        if (messages.size() < 2) {
            return oneByOne(messages);
        }
        // A little is kept back, so that callers hear in time that they were undone.
        long left = senderSessions.left();
        long within = left - Math.min(MOST_MARGIN, (long) (left * MARGIN));
        BatchEndings<JmsReceipt> together = senderSessions.call(
                        sendTask -> new TransactedBatch(target.sender(), messages).run(sendTask), within)
                .orElse(null);
        return together == null ? oneByOne(messages) : together;
    }

    private BatchEndings<JmsReceipt> oneByOne(List<JmsMessage> messages) {
        BatchEndings.Builder<JmsReceipt> endings = BatchEndings.ofSize(messages.size());
        for (int place = 0; place < messages.size(); place++) {
            try {
                endings.answered(place, target.call(messages.get(place)));
            } catch (Unanswered ending) {
                endings.ended(place, ending);
            }
        }
        return endings.build();
    }

    @Override
    public String where() {
        return target.where();
    }

    @Override
    public List<Setting> settings() {
        return target.settings();
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
