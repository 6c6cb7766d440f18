package dev.penstock.gateway.admin;

import dev.penstock.gateway.admin.EventLog.FlowEvent;
import dev.penstock.http.source.PageServer;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Sends the snapshots of the recorder as server-sent events: one a second, with the events since the previous one. At
 * most {@value #MAX_STREAMS} clients at once. A closed connection is detected by the next write, a second later; the
 * server closes connections of clients that stop reading.
 *
 * <p>Thread-safe.
 */
final class EventStream {
    /** The maximum number of concurrent clients: each has a connection and a thread. */
    static final int MAX_STREAMS = 16;

    private static final long CLOSE_WAIT_MILLIS = 1_000;
    private static final Header STREAM =
            HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "text/event-stream; charset=utf-8");
    private static final HeaderName LAST_ID = HeaderNames.create("Last-Event-ID");

    private final Recorder recorder;
    private final Semaphore permits = new Semaphore(MAX_STREAMS);

    EventStream(Recorder recorder) {
        this.recorder = recorder;
    }

    void handle(ServerRequest request, ServerResponse response) {
        if (!PageServer.canStream()) {
            response.status(505)
                    .header(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                    .send("/events needs HTTP/1.1: behind nginx, set proxy_http_version 1.1\n");
            return;
        }
        if (!permits.tryAcquire()) {
            response.status(503)
                    .header(HeaderNames.RETRY_AFTER, "5")
                    .header(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                    .send("too many event streams (%d): close one, or use /flows\n".formatted(MAX_STREAMS));
            return;
        }
        boolean ended = false;
        try (OutputStream out = response.header(STREAM).outputStream()) {
            send(out, lastId(request));
            ended = true;
        } catch (IOException | UncheckedIOException gone) {
            // The client closed the connection.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            if (ended) {
                // The server writes the end of the answer after this method returns, and must not be stopped before.
                response.whenSent(permits::release);
            } else {
                permits.release();
            }
        }
    }

    /**
     * Waits until all streams have ended, at most {@value #CLOSE_WAIT_MILLIS} ms: stopping the server first would cut
     * off answers. Call it after closing the recorder; later clients get an ended stream at once.
     */
    void awaitEnds() {
        try {
            if (permits.tryAcquire(MAX_STREAMS, CLOSE_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                permits.release(MAX_STREAMS);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** The last event id of a reconnecting browser; 0 for a new one. */
    private static long lastId(ServerRequest request) {
        String id = request.headers().first(LAST_ID).orElse("0");
        return id.matches("\\d{1,18}") ? Long.parseLong(id) : 0;
    }

    private void send(OutputStream out, long lastId) throws IOException, InterruptedException {
        long seen = 0;
        long sentId = lastId;
        for (Recorder.Frame frame = recorder.after(seen); frame != null; frame = recorder.after(seen)) {
            List<FlowEvent> news = recorder.events().after(sentId);
            sentId = news.isEmpty() ? sentId : news.getLast().id();
            String message = "id: " + sentId + "\ndata: {\"look\":" + frame.flows() + ",\"events\":"
                    + AdminJson.events(news) + "}\n\n";
            PageServer.renewTime();
            out.write(message.getBytes(StandardCharsets.UTF_8));
            out.flush();
            seen = frame.number();
        }
    }
}
