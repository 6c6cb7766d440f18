package dev.penstock.jms;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.util.List;
import java.util.Map;

/**
 * A queue at the end of a flow. Answers when the broker has the message: a persistent one is in its journal by then.
 * Blocking; safe for many threads.
 *
 * <pre>{@code
 * var target = JmsTarget.at(JmsBroker.at("tcp://broker.example:61616")).queue("payments").key("payment").build();
 * Flow<JmsMessage, JmsReceipt> payments = Flow.named("payments")
 *         .deadline(Duration.ofSeconds(2))
 *         .retry(Retry.byKey("payment"))
 *         .limit()
 *         .to(target);                       // or .to(JmsBatch.over(target).collapse()): many messages, one commit
 * payments.call(JmsMessage.text("{\"amount\": 7}").withProperty("payment", "p-1"));
 * }</pre>
 *
 * <h2>Time</h2>
 *
 * <p>A call takes no longer than the time that its thread has left ({@link dev.penstock.Deadline}), whatever the broker does:
 * what may block runs on a virtual thread of its own, which the caller need not wait for. Such threads are no more than
 * there are sessions, and the client ends them when it finds the broker dead.
 *
 * <h2>How it ends</h2>
 *
 * <ul>
 *   <li>No connection is {@link Failed}, cause {@code CONNECT}; after one that could not be opened, the next is tried only
 *       after a wait, which all senders share and which doubles up to {@value ReconnectBackoff#MOST_SECONDS} s: until then calls fail
 *       in microseconds. No session free in time is {@link Rejected}, cause {@code POOL}.
 *   <li>A connection that ends after the message was sent leaves {@link Unknown}, cause {@code CLOSED}; no answer in time,
 *       {@code TIMEOUT}.
 *   <li>What the broker will not take (no such queue, not allowed) is {@link Failed},
 *       cause {@code REFUSED}.
 * </ul>
 *
 * <h2>Sent twice, there once</h2>
 *
 * <p>A target repeats nothing. With a {@linkplain JmsTargetBuilder#key key}, the value of that property is the duplicate id
 * of the message, so an unknown ending may be repeated by the flow, {@code Retry.byKey(...)}: an Artemis broker drops the
 * second message and says that it has it. It remembers the last 20,000 ids of a queue, across restarts too. Other brokers
 * may not know that property: there, who receives has to look at the key.
 */
public final class JmsTarget implements Target<JmsMessage, JmsReceipt> {
    private final MessageSender sender;
    private final SenderSessions senderSessions;
    private final List<Setting> settings;

    JmsTarget(MessageSender sender, SenderSessions senderSessions, List<Setting> settings) {
        this.sender = sender;
        this.senderSessions = senderSessions;
        this.settings = settings;
    }

    /** A builder of a target. */
    public static JmsTargetBuilder at(JmsBroker broker) {
        return new JmsTargetBuilder(broker);
    }

    /**
     * Sends a message, and waits until the broker has it.
     *
     * @throws Rejected nothing was sent: {@code DEADLINE}, the time left is up; {@code POOL}, no session came free in time
     * @throws Failed {@code CONNECT}, there is no connection to the broker; {@code REFUSED}, it will not let this
     *     client in, or not take the message
     * @throws Unknown sent, and nobody knows whether the broker has it
     */
    @Override
    public JmsReceipt call(JmsMessage message) throws Unanswered {
        return senderSessions.call(sendTask -> sender.send(sendTask, message));
    }

    @Override
    public String where() {
        return sender.queue() + " at " + senderSessions.where();
    }

    @Override
    public List<Setting> settings() {
        return settings;
    }

    @Override
    public Map<String, Long> connections() {
        return senderSessions.connections();
    }

    @Override
    public void close() {
        senderSessions.close();
    }

    MessageSender sender() {
        return sender;
    }

    SenderSessions senderSessions() {
        return senderSessions;
    }

    @Override
    public String toString() {
        return where();
    }
}
