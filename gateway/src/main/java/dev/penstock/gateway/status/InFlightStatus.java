package dev.penstock.gateway.status;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Records transactions on their way to a queue as pending. Removes the record only when the flow finally ends with the
 * message not sent: a failed attempt may follow one with an unknown ending. Thread-safe.
 */
public final class InFlightStatus {
    private final StatusStore statuses;
    private final boolean keeps;
    /** The transactions in the flow, and whether they are recorded. */
    private final Map<String, Boolean> inFlow = new ConcurrentHashMap<>();

    /**
     * Without transactions.
     *
     * @param keeps whether transactions may come from a queue, where they are pending even if they are not sent
     */
    public InFlightStatus(StatusStore statuses, boolean keeps) {
        this.statuses = statuses;
        this.keeps = keeps;
    }

    /**
     * Records the transactions of a flow, whose requests have ids.
     *
     * @param status null to record none
     */
    public static Service<HttpCall, HttpAnswer> around(
            Service<HttpCall, HttpAnswer> flow, @Nullable InFlightStatus status) {
        return status == null ? flow : call -> status.call(TransactionIds.of(call), call, flow);
    }

    /** Sends a request with an id through its flow. */
    HttpAnswer call(String id, HttpCall call, Service<HttpCall, HttpAnswer> flow) throws Exception {
        inFlow.put(id, false);
        try {
            return flow.call(call);
        } catch (Rejected | Failed notSent) {
            if (Boolean.TRUE.equals(inFlow.remove(id)) && !keeps) {
                statuses.undo(id);
            }
            throw notSent;
        } finally {
            inFlow.remove(id);
        }
    }

    /**
     * Records a transaction before its message is sent.
     *
     * @return false when it was processed before, so that nothing must be sent
     * @throws Rejected it cannot be recorded
     */
    public boolean begin(String id) throws Rejected {
        inFlow.computeIfPresent(id, (same, before) -> true);
        return statuses.begin(id);
    }
}
