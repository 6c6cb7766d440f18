package dev.penstock.gateway;

import dev.penstock.Service;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.http.BadInput;
import dev.penstock.http.Headers;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells what became of a transaction to who knows its id: {@code GET /transactions/ID}. Safe for many threads.
 *
 * @param books where to look, one after the other
 */
record StatusPage(List<StatusStore> books) implements Service<HttpCall, HttpAnswer> {
    private static final Headers HEAD =
            Headers.none().with("Content-Type", "application/json").with("Cache-Control", "no-store");
    private static final String NOTHING =
            "There is no transaction of this id, or it is longer ago than its ending is kept.";

    @Override
    public HttpAnswer call(HttpCall call) {
        if (!call.isReadOnly()) {
            throw new BadInput(405, "What became of a transaction can be read (GET), and not changed.");
        }
        String id = call.path().replaceFirst("\\?.*", "").replaceFirst(".*/", "");
        byte[] found = TransactionIds.isOne(id) && call.path().startsWith(path(id)) ? found(id) : null;
        if (found == null) {
            throw new BadInput(404, NOTHING);
        }
        return HttpAnswer.of(200, HEAD, found);
    }

    /** Where a transaction is told of. */
    static String path(String id) {
        return FlowConfig.STATUS_PATH + "/" + id;
    }

    private byte @Nullable [] found(String id) {
        try {
            for (StatusStore book : books) {
                byte[] found = book.find(id);
                if (found != null) {
                    return found;
                }
            }
            return null;
        } catch (Exception away) {
            throw new BadInput(503, "It cannot be looked up now. Ask again later.");
        }
    }
}
