package dev.penstock.gateway.jms;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Target;
import dev.penstock.gateway.status.InFlightStatus;
import dev.penstock.gateway.status.StatusPage;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import org.jspecify.annotations.Nullable;

/**
 * A queue or a topic as the target of HTTP requests: each is answered with 202 as soon as the broker has stored it. Thread-safe.
 *
 * @param target sends the messages
 * @param base the path of the flow
 * @param group the header whose equal values keep messages in order; null for none
 * @param guard whether the broker can store messages
 * @param inFlightStatus records transactions as pending; null to record none
 */
record QueueTarget(
        JmsTarget target,
        String base,
        @Nullable String group,
        BrokerGuard guard,
        @Nullable InFlightStatus inFlightStatus)
        implements Target.Converting<HttpCall, HttpAnswer> {
    @Override
    public HttpAnswer call(HttpCall call) throws Exception {
        JmsMessage message = message(call);
        if (begin(call)) {
            guard.confirmed(() -> target.call(message));
        }
        return accepted(call);
    }

    /**
     * Records the transaction as pending; false when it was sent before, so that nothing must be sent.
     *
     * @throws Rejected the broker cannot store a message, or the store of outcomes cannot record it
     */
    boolean begin(HttpCall call) throws Rejected {
        guard.admit(call.body().length);
        return inFlightStatus == null || inFlightStatus.begin(TransactionIds.of(call));
    }

    JmsMessage message(HttpCall call) throws Failed {
        try {
            JmsMessage message = QueueMessages.message(call, base);
            String value = group == null ? null : call.key(group);
            return value == null ? message : message.inGroup(value);
        } catch (IllegalArgumentException wrong) {
            throw new Failed(Failed.Cause.REFUSED, "the request cannot be sent as a message: " + wrong.getMessage());
        }
    }

    HttpAnswer accepted(HttpCall call) {
        return StatusPage.accepted(TransactionIds.of(call), inFlightStatus != null);
    }
}
