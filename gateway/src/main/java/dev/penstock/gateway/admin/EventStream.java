package dev.penstock.gateway.admin;

import dev.penstock.http.PageServer;
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
 * Sends what the recorder sees to whoever watches, as server-sent events: one a second, with the events since the one before.
 * At most {@value #MOST} watch at once. Who goes away is noticed by the next write, a second later;
 * the connection of whoever takes nothing any more is cut by the server.
 *
 * <p>Safe for many threads.
 */
final class EventStream {
    /** How many may watch at once: each has a connection and a thread. */
    static final int MOST = 16;

    private static final long LAST_WORDS_MILLIS = 1_000;
    private static final Header STREAM =
            HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "text/event-stream; charset=utf-8");
    private static final HeaderName LAST_ID = HeaderNames.create("Last-Event-ID");

    private final Recorder recorder;
    private final Semaphore places = new Semaphore(MOST);

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
        if (!places.tryAcquire()) {
            response.status(503)
                    .header(HeaderNames.RETRY_AFTER, "5")
                    .header(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                    .send("%d watch already: close one of them, or read /flows\n".formatted(MOST));
            return;
        }
        boolean ended = false;
        try (OutputStream out = response.header(STREAM).outputStream()) {
            send(out, lastId(request));
            ended = true;
        } catch (IOException | UncheckedIOException gone) {
            // Whoever watched has gone away.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            if (ended) {
                // The server writes the end of an answer after this returns, and only then may it be stopped.
                response.whenSent(places::release);
            } else {
                places.release();
            }
        }
    }

    /**
     * Waits until all who watched have been told of the end, at most {@value #LAST_WORDS_MILLIS} ms: a server that stops
     * first would cut them off in the middle of an answer. Whoever takes nothing any more is cut off after that. To be called
     * when the recorder is closed: who comes later is told at once.
     */
    void awaitEnds() {
        try {
            if (places.tryAcquire(MOST, LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS)) {
                places.release(MOST);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where a browser goes on that had lost its connection; 0 for one that begins. */
    private static long lastId(ServerRequest request) {
        String id = request.headers().first(LAST_ID).orElse("0");
        return id.matches("\\d{1,18}") ? Long.parseLong(id) : 0;
    }

    private void send(OutputStream out, long lastId) throws IOException, InterruptedException {
        long seen = 0;
        long told = lastId;
        for (Recorder.Frame frame = recorder.after(seen); frame != null; frame = recorder.after(seen)) {
            List<FlowEvent> news = recorder.events().after(told);
            told = news.isEmpty() ? told : news.getLast().id();
            String message = "id: " + told + "\ndata: {\"look\":" + frame.flows() + ",\"events\":"
                    + AdminJson.events(news) + "}\n\n";
            PageServer.renewTime();
            out.write(message.getBytes(StandardCharsets.UTF_8));
            out.flush();
            seen = frame.number();
        }
    }
}
