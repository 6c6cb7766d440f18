package dev.penstock.observe.page;

import dev.penstock.observe.page.Dashboard.Page;
import dev.penstock.observe.page.EventLog.FlowEvent;
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
    private final Recorder recorder;
    private final Semaphore permits = new Semaphore(MAX_STREAMS);

    EventStream(Recorder recorder) {
        this.recorder = recorder;
    }

    /** As {@link Dashboard#stream}. */
    @Nullable
    Page send(@Nullable String lastEventId, Dashboard.StreamOpener client) {
        if (!permits.tryAcquire()) {
            return new Page(
                    503,
                    "text/plain; charset=utf-8",
                    "too many event streams (%d): close one, or use /flows\n".formatted(MAX_STREAMS));
        }
        try (OutputStream out = client.open()) {
            send(out, lastId(lastEventId));
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
    private static long lastId(@Nullable String id) {
        return id != null && id.matches("\\d{1,18}") ? Long.parseLong(id) : 0;
    }

    private void send(OutputStream out, long lastId) throws IOException, InterruptedException {
        long seen = 0;
        long sentId = lastId;
        for (Recorder.Frame frame = recorder.after(seen); frame != null; frame = recorder.after(seen)) {
            List<FlowEvent> news = recorder.events().after(sentId);
            sentId = news.isEmpty() ? sentId : news.getLast().id();
            String message = "id: " + sentId + "\ndata: {\"snapshot\":" + frame.flows() + ",\"events\":"
                    + PageJson.events(news) + "}\n\n";
            out.write(message.getBytes(StandardCharsets.UTF_8));
            seen = frame.number();
        }
    }
}
