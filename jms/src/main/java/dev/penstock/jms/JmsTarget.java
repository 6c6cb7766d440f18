package dev.penstock.jms;

import dev.penstock.CallContext;
import dev.penstock.Failed;
import dev.penstock.Observation;
import dev.penstock.Rejected;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.source.ReconnectBackoff;
import dev.penstock.text.ServerAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to a queue or a topic. Answers when the broker has the message in its journal.
 * Blocking; thread-safe.
 *
 * <pre>{@code
 * var target = JmsTarget.at(JmsBroker.at("tcp://broker.example:61616")).queue("payments").key("payment").build();
 * Flow<JmsMessage, JmsReceipt> payments = Flow.named("payments")
 *         .deadline(Duration.ofSeconds(2))
 *         .retry(Retry.byKey("payment"))
 *         .adaptiveConcurrency()
 *         .to(target);                       // or .to(JmsBatch.over(target).collapse()): many messages, one commit
 * payments.call(JmsMessage.text("{\"amount\": 7}").withProperty("payment", "p-1"));
 * }</pre>
 *
 * <h2>Time limit</h2>
 *
 * <p>A call takes no longer than the time left of its thread's {@link dev.penstock.Deadline}, whatever the broker does:
 * everything that may block runs on a virtual thread, which the caller can abandon. There are at most as many such
 * threads as sessions, and they end when the client detects that the broker is dead.
 *
 * <h2>Endings</h2>
 *
 * <ul>
 *   <li>No connection gives {@link Failed} with cause {@code CONNECT}. After a failed attempt, the next follows a
 *       backoff that all senders share and that doubles up to {@value ReconnectBackoff#MOST_SECONDS} s; until then
 *       calls fail within microseconds. No free session in time gives {@link Rejected} with cause {@code POOL}.
 *   <li>A connection lost after the message was sent gives {@link Unknown} with cause {@code CLOSED}; no answer in time
 *       gives {@code TIMEOUT}.
 *   <li>A message that the broker refuses (no such queue, not authorized) gives {@link Failed} with cause
 *       {@code REFUSED}.
 * </ul>
 *
 * <h2>Duplicate detection</h2>
 *
 * <p>A target retries nothing itself. With a {@linkplain JmsTargetBuilder#key key}, the value of that property is the
 * duplicate id of the message, so the flow may retry an unknown ending ({@code Retry.byKey(...)}): an Artemis broker
 * drops the second message and reports the duplicate. It remembers the last 20,000 ids of a queue, across restarts.
 * Other brokers may not support that property: then the receiver has to deduplicate by the key.
 *
 * <h2>Topics</h2>
 *
 * <p>The broker copies a message for each {@linkplain dev.penstock.jms.source.JmsSourceBuilder#durable subscription} that
 * the topic has at that moment, and confirms it also if there is none.
 */
public final class JmsTarget implements Target<JmsMessage, JmsReceipt> {
    private final MessageSender sender;
    private final SenderSessions senderSessions;
    private final List<Setting> settings;
    private final @Nullable ServerAddress server;

    JmsTarget(MessageSender sender, SenderSessions senderSessions, List<Setting> settings) {
        this.sender = sender;
        this.senderSessions = senderSessions;
        this.settings = settings;
        this.server =
                ServerAddress.in(senderSessions.brokerConnection().broker().where());
    }

    /** A builder of a target. */
    public static JmsTargetBuilder at(JmsBroker broker) {
        return new JmsTargetBuilder(broker);
    }

    /**
     * Sends a message, and waits until the broker has it.
     *
     * @throws Rejected nothing was sent: {@code DEADLINE}, the deadline was exceeded; {@code POOL}, no session was free
     *     in time
     * @throws Failed {@code CONNECT}, no connection to the broker, or it rejected the login; {@code REFUSED}, it
     *     refused the message
     * @throws Unknown sent, and not confirmed by the broker
     */
    @Override
    public JmsReceipt call(JmsMessage message) throws Unanswered {
        Observation observation = CallContext.currentObservation();
        if (observation == null) {
            return send(message);
        }
        describe(observation);
        return send(traced(message, observation::propagate));
    }

    JmsReceipt send(JmsMessage message) throws Unanswered {
        return senderSessions.call(sendTask -> sender.send(sendTask, message));
    }

    /** Describes an attempt by OpenTelemetry's conventions for messaging. */
    void describe(Observation observation) {
        boolean artemis = senderSessions.brokerConnection().broker().kind() == JmsBroker.Kind.ARTEMIS;
        observation.attribute("messaging.system", artemis ? "activemq" : "jms");
        observation.attribute("messaging.destination.name", sender.to().name());
        observation.attribute("messaging.operation.name", "send");
        observation.attribute("messaging.operation.type", "send");
        if (server != null) {
            server.describe(observation::attribute);
        }
    }

    /**
     * A copy with the properties of its trace.
     *
     * @param trace passes on the trace
     */
    static JmsMessage traced(JmsMessage message, Consumer<BiConsumer<String, String>> trace) {
        Map<String, String> ofTrace = new LinkedHashMap<>();
        trace.accept(ofTrace::put);
        JmsMessage traced = message;
        for (Map.Entry<String, String> property : ofTrace.entrySet()) {
            traced = traced.withProperty(property.getKey(), property.getValue());
        }
        return traced;
    }

    @Override
    public String where() {
        return sender.to() + " at " + senderSessions.where();
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
