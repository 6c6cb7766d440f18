package dev.penstock.gateway.jms;

import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.gateway.status.CurrentTransaction;
import dev.penstock.gateway.status.StatusStore;
import dev.penstock.gateway.status.StoredEndings;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.gateway.transport.MessageFields;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.source.BadInput;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.source.JmsSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Converts messages to HTTP calls of a flow and stores their outcomes. Thread-safe.
 *
 * @param flow the flow
 * @param key the property with the idempotency key; null for none
 * @param ids the transaction id that the flow passes on; null for none
 * @param endings stores the outcomes of messages with a transaction id
 */
record QueueHandler(
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
            throw new Failed(Failed.Cause.REFUSED, "the message is not a valid request: " + wrong.getMessage(), wrong);
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
