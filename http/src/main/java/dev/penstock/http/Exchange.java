package dev.penstock.http;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries requests to one host over connections that it keeps. The one seam between {@link HttpTarget} and whatever does
 * the talking: nothing of a client library is seen on this side of it. Safe for many threads.
 */
interface Exchange extends AutoCloseable {
    /**
     * Sends a request at most once and waits for the answer to it.
     *
     * @param call as it goes on the wire, but for Host, Content-Length and the time left
     * @param deadline bounds everything, from the wait for a connection to the last byte of the answer
     * @throws Rejected nothing was sent: the time was up, or no connection came free
     * @throws Failed nothing was sent: the target could not be reached
     * @throws Unknown something was sent, and no answer came
     */
    HttpAnswer send(HttpCall call, @Nullable Deadline deadline) throws Rejected, Failed, Unknown;

    /** How many connections there are, by state. */
    Map<String, Long> connections();

    /** The settings that it finds by itself, as they are now. */
    List<ExchangeSetting> settings();

    /** Those of the target's settings that may be pinned now. */
    default List<dev.penstock.LiveSetting> pinnable() {
        return List.of();
    }

    @Override
    void close();
}
