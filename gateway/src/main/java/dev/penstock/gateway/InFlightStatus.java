package dev.penstock.gateway;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Notes in the book what is under way to a queue, and takes it back only when its flow says for good that it is not there: an
 * attempt that failed may have come after one of which nobody knows. Safe for many threads.
 */
final class InFlightStatus {
    private final StatusStore book;
    /** The transactions in the flow, and whether they are noted. */
    private final Map<String, Boolean> inFlow = new ConcurrentHashMap<>();

    InFlightStatus(StatusStore book) {
        this.book = book;
    }

    /** Carries a request of an id through its flow. */
    HttpAnswer carry(String id, HttpCall call, Service<HttpCall, HttpAnswer> flow) throws Exception {
        inFlow.put(id, false);
        try {
            return flow.call(call);
        } catch (Rejected | Failed notThere) {
            if (Boolean.TRUE.equals(inFlow.remove(id))) {
                book.undo(id);
            }
            throw notThere;
        } finally {
            inFlow.remove(id);
        }
    }

    /**
     * Notes it, before it is sent.
     *
     * @return false when it was carried before, so that nothing is to be sent
     * @throws Rejected it cannot be noted
     */
    boolean begin(String id) throws Rejected {
        inFlow.computeIfPresent(id, (same, before) -> true);
        return book.begin(id);
    }
}
