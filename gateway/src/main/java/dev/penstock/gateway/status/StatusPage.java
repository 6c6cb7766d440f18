package dev.penstock.gateway.status;

import dev.penstock.Service;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.BadInput;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Serves the outcome of a transaction by id: {@code GET /transactions/ID}. Thread-safe.
 *
 * @param statuses the stores to search, in order
 */
public record StatusPage(List<StatusStore> statuses) implements Service<HttpCall, HttpAnswer> {
    private static final Headers HEAD =
            Headers.none().with("Content-Type", "application/json").with("Cache-Control", "no-store");
    private static final Headers ACCEPTED = Headers.none().with("Content-Type", "application/json");
    private static final String NOTHING = "No transaction with this id is stored; it may have expired.";

    @Override
    public HttpAnswer call(HttpCall call) {
        if (!call.isReadOnly()) {
            throw BadInput.methodNotAllowed("The status of a transaction is read-only: use GET.", "GET, HEAD");
        }
        String id = call.path().replaceFirst("\\?.*", "").replaceFirst(".*/", "");
        byte[] found = TransactionIds.isValid(id) && call.path().startsWith(path(id)) ? found(id) : null;
        if (found == null) {
            throw new BadInput(404, NOTHING);
        }
        return HttpAnswer.of(200, HEAD, found);
    }

    /**
     * The answer to a request that a broker has stored.
     *
     * @param id of its transaction
     * @param isServed whether the client can read the outcome on this page
     */
    public static HttpAnswer accepted(String id, boolean isServed) {
        HttpAnswer answer = HttpAnswer.of(202, ACCEPTED, StatusJson.pending(id));
        return isServed ? answer.withHeader("Location", path(id)) : answer;
    }

    /** The path of the status of a transaction. */
    public static String path(String id) {
        return FlowConfig.STATUS_PATH + "/" + id;
    }

    private byte @Nullable [] found(String id) {
        try {
            for (StatusStore store : statuses) {
                byte[] found = store.find(id);
                if (found != null) {
                    return found;
                }
            }
            return null;
        } catch (Exception unavailable) {
            throw new BadInput(503, "The status store is not available. Try again later.");
        }
    }
}
