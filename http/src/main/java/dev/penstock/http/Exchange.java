package dev.penstock.http;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.LiveSetting;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to one host over pooled connections. Separates {@link HttpTarget} from the protocol versions and from client
 * libraries. Thread-safe.
 */
interface Exchange extends AutoCloseable {
    /**
     * Sends a request at most once and waits for its answer.
     *
     * @param call as sent, except for Host, Content-Length and the time left
     * @param deadline limits everything, from the wait for a connection to the last byte of the answer
     * @throws Rejected nothing was sent: the deadline expired, or no connection became free
     * @throws Failed nothing was sent: the target could not be reached
     * @throws Unknown the request was sent at least in part, and there is no answer
     */
    HttpAnswer send(HttpCall call, @Nullable Deadline deadline) throws Rejected, Failed, Unknown;

    /** The number of connections by state. */
    Map<String, Long> connections();

    /** The current values of adaptive settings. */
    List<ExchangeSetting> settings();

    /** The maximum number of concurrent calls; {@link Integer#MAX_VALUE} if adaptive. */
    default int maxConcurrency() {
        return Integer.MAX_VALUE;
    }

    /** The settings that can be pinned now. */
    default List<LiveSetting> pinnable() {
        return List.of();
    }

    @Override
    void close();
}
