package dev.penstock.gateway.jms;

import static dev.penstock.gateway.config.Configured.given;

import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Unanswered;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.status.CurrentTransaction;
import dev.penstock.gateway.status.StatusSetup;
import dev.penstock.gateway.status.StatusStore;
import dev.penstock.gateway.status.StoredEndings;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.gateway.transport.MessageBacklog;
import dev.penstock.gateway.transport.MessageFields;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.source.BadInput;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.source.JmsSource;
import dev.penstock.jms.source.JmsSourceBuilder;
import jakarta.jms.JMSException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A queue or a topic as the source of a flow.
 *
 * @param queued the number of messages at the broker
 */
record QueueSource(JmsFrom from, JmsSource source, MessageBacklog queued) implements SourceBinding {
    /** Builds the source. Opens nothing. */
    static QueueSource of(TargetBinding flow, JmsBroker broker, TransportContext context) {
        JmsFrom from = (JmsFrom) flow.config().from();
        Configured<String> word = from.key();
        String key = word == null ? null : PropertyNames.ofWord(word.value());
        String repeatKey = repeatKey(flow.config(), from);
        JmsSourceBuilder source = builder(flow.config(), from, broker);
        source.attemptsIn(
                context.config().besideState(".attempts." + flow.config().name()));
        source.maxBody(from.maxBody().value());
        given(from.inFlight(), source::inFlight);
        given(from.deadLetter(), source::deadLetter);
        given(from.replyTo(), source::replyTo);
        from.redeliver().apply(source::redeliver, source::backoff);
        FlowConfig.To last = context.config().last(flow.config()).to();
        QueueHandler handler = new QueueHandler(
                flow.service(),
                key,
                last.hasIds() ? message -> id(message, from.endpoint(), repeatKey) : message -> null,
                StatusSetup.endings(flow.config(), context.config(), context.store()));
        JmsSource built = source.onEnded(handler)
                .replies(QueueSource::reply)
                .to(context.startGate().before(handler), flow::capacity);
        return new QueueSource(from, built, new MessageBacklog(built::queued, built.where()));
    }

    /** The transaction id of a message: its own, else one made of its key; null without both. */
    private static @Nullable String id(JmsMessage message, JmsEndpoint from, @Nullable String key) {
        String own = QueueHandler.id(message);
        String value = own == null && key != null ? message.key(key) : null;
        return value == null ? own : TransactionIds.derived(from.where(), value);
    }

    /** What the source needs and its client or broker lacks; null for nothing. */
    static @Nullable String unsupported(FlowConfig flow, JmsFrom from) {
        return from.endpoint().isEmbedded()
                ? null
                : builder(flow, from, from.endpoint().address().value().broker())
                        .unsupported();
    }

    /** The key by which a message may be sent again; null for none. */
    private static @Nullable String repeatKey(FlowConfig flow, JmsFrom from) {
        Configured<String> word = from.key();
        return word != null
                ? PropertyNames.ofWord(word.value())
                : flow.idempotent().value() ? JmsMessage.MESSAGE_ID : null;
    }

    private static JmsSourceBuilder builder(FlowConfig flow, JmsFrom from, JmsBroker broker) {
        String name = from.endpoint().name().value();
        JmsSourceBuilder source = from.endpoint().isTopic()
                ? JmsSource.at(broker).topic(name)
                : JmsSource.at(broker).queue(name);
        boolean shared = from.shared().value();
        Configured<String> subscription = from.subscription();
        if (subscription != null) {
            JmsSourceBuilder _ =
                    shared ? source.sharedDurable(subscription.value()) : source.durable(subscription.value());
        } else if (shared) {
            source.shared(flow.name());
        }
        given(from.selector(), source::selector);
        given(from.order(), order -> source.inOrder(PropertyNames.ofWord(order)));
        String repeatKey = repeatKey(flow, from);
        return repeatKey == null ? source : source.key(repeatKey);
    }

    private static JmsMessage reply(Object answer) {
        return answer instanceof HttpAnswer http
                ? QueueMessages.message(http)
                : JmsMessage.text(String.valueOf(answer));
    }

    @Override
    public String where() {
        return from.endpoint().where();
    }

    @Override
    public List<Setting> settings() {
        return source.settings();
    }

    @Override
    public Map<String, Long> connections() {
        return source.connections();
    }

    @Override
    public Map<String, Map<String, Long>> counters() {
        Map<String, Long> messages = new LinkedHashMap<>(source.counts());
        messages.put("in_hand", (long) source.inFlight());
        queued.latest().ifPresent(number -> messages.put("queued", number));
        return Map.of("messages", messages);
    }

    @Override
    public @Nullable String deadLetter(String id) throws JMSException {
        return source.deadLetter(id);
    }

    @Override
    public boolean isSettling() {
        return inFlight() > 0;
    }

    /** Messages that are not acknowledged yet. */
    @Override
    public int inFlight() {
        return source.inFlight();
    }

    /**
     * Converts messages to HTTP calls of a flow and stores their outcomes. Thread-safe.
     *
     * @param flow the flow
     * @param key the property with the idempotency key; null for none
     * @param ids the transaction id that the flow passes on; null for none
     * @param endings stores the outcomes of messages with a transaction id
     */
    private record QueueHandler(
            Service<HttpCall, HttpAnswer> flow,
            @Nullable String key,
            Function<JmsMessage, @Nullable String> ids,
            StoredEndings endings)
            implements Service<JmsMessage, HttpAnswer>, JmsSource.Ended {
        @Override
        public HttpAnswer call(JmsMessage message) throws Exception {
            return MessageFields.outcome(callFlow(message));
        }

        private HttpAnswer callFlow(JmsMessage message) throws Exception {
            try {
                HttpCall call = QueueMessages.call(message, key);
                String id = ids.apply(message);
                HttpCall sent = id == null ? call : call.withHeader(TransactionIds.HEADER, id);
                String own = id == null ? id(message) : id;
                String known = own == null ? message.id() : own;
                return (known == null ? flow : CurrentTransaction.carry(known, flow)).call(sent);
            } catch (BadInput wrong) {
                throw new Failed(
                        Failed.Cause.REFUSED, "the message is not a valid request: " + wrong.getMessage(), wrong);
            }
        }

        /**
         * Stores the outcome before the message is acknowledged. If that fails it is called again, without processing the
         * message again.
         */
        @Override
        public void ended(JmsMessage message, @Nullable Object answer, @Nullable Unanswered why) throws Exception {
            endings.store(id(message), answer, why);
        }

        /** The answer of an outcome that is stored but was not acknowledged to the broker. */
        @Override
        public @Nullable HttpAnswer answeredBefore(JmsMessage message) throws Exception {
            StatusStore statuses = endings.statuses();
            String id = id(message);
            return statuses == null || id == null ? null : statuses.answer(id);
        }

        static @Nullable String id(JmsMessage message) {
            String id = message.property(MessageFields.ID);
            return id != null && TransactionIds.isValid(id) ? id : null;
        }
    }
}
