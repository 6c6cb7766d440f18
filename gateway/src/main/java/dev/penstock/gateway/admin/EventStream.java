package dev.penstock.gateway.admin;

import dev.penstock.gateway.admin.EventLog.FlowEvent;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.PageClient;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

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
    private static final Headers STREAM = Headers.of(List.of(
            new Header("Content-Type", "text/event-stream; charset=utf-8"),
            AdminServer.NO_STORE,
            AdminServer.NO_SNIFF));

    private final Recorder recorder;
    private final Semaphore permits = new Semaphore(MAX_STREAMS);

    EventStream(Recorder recorder) {
        this.recorder = recorder;
    }

    /** Answers with the stream; returns another answer if there can be none. */
    @Nullable
    HttpAnswer handle(HttpCall request, PageClient client) {
        if (!client.canStream()) {
            return AdminServer.plain(505, "/events needs HTTP/1.1: behind nginx, set proxy_http_version 1.1\n");
        }
        if (!permits.tryAcquire()) {
            return AdminServer.plain(
                            503, "too many event streams (%d): close one, or use /flows\n".formatted(MAX_STREAMS))
                    .withHeader("Retry-After", "5");
        }
        try (OutputStream out = client.stream(STREAM)) {
            send(out, lastId(request));
        } catch (IOException gone) {
            // The client closed the connection.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            permits.release();
        }
        return null;
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
    private static long lastId(HttpCall request) {
        String id = request.headers().first("Last-Event-ID");
        return id != null && id.matches("\\d{1,18}") ? Long.parseLong(id) : 0;
    }

    private void send(OutputStream out, long lastId) throws IOException, InterruptedException {
        long seen = 0;
        long sentId = lastId;
        for (Recorder.Frame frame = recorder.after(seen); frame != null; frame = recorder.after(seen)) {
            List<FlowEvent> news = recorder.events().after(sentId);
            sentId = news.isEmpty() ? sentId : news.getLast().id();
            String message = "id: " + sentId + "\ndata: {\"look\":" + frame.flows() + ",\"events\":"
                    + AdminJson.events(news) + "}\n\n";
            out.write(message.getBytes(StandardCharsets.UTF_8));
            seen = frame.number();
        }
    }
}
