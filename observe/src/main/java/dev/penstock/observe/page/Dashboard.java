package dev.penstock.observe.page;

import static dev.penstock.text.Json.object;

import dev.penstock.Ticker;
import dev.penstock.observe.Health;
import dev.penstock.observe.WatchedProcess;
import dev.penstock.text.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a process, for an HTTP server. {@code /health} is 503 while it drains; its body lists unreachable sources,
 * targets and stores, which a restart would not help. {@code /ready} is 200 only while it is {@linkplain Health up}.
 *
 * <p>Thread-safe.
 */
public final class Dashboard implements AutoCloseable {
    private static final String JSON = "application/json";

    private final WatchedProcess process;
    private final PageHtml html;
    private final Recorder recorder;
    private final EventStream events;

    /**
     * The answer to a GET.
     *
     * @param status the HTTP status
     * @param type the Content-Type
     * @param body the body
     */
    public record Page(int status, String type, String body) {}

    /** Answers with the head of an event stream. */
    @FunctionalInterface
    public interface StreamOpener {
        /** {@return where the events go} */
        OutputStream open() throws IOException;
    }

    /**
     * Creates the pages; call {@link #start} when they can be reached.
     *
     * @param process the process to show
     * @param pins whether the server takes {@code POST} and {@code DELETE} of {@code /settings/FLOW/NAME}
     */
    public Dashboard(WatchedProcess process, boolean pins) {
        this.process = process;
        this.html = PageHtml.read(pins);
        this.recorder = new Recorder(process, Ticker.SYSTEM, InstantSource.system());
        this.events = new EventStream(recorder);
    }

    /** Takes a snapshot each second from now on. */
    public void start() {
        recorder.start();
    }

    /** {@return the Content-Security-Policy of all pages, which allows the scripts of the dashboard alone} */
    public String policy() {
        return html.policy();
    }

    /**
     * {@return the page at a path; null if there is none}
     *
     * @param path with its query, such as {@code /transactions?q=ID&flow=NAME&ending=unknown&since=10m}
     */
    public @Nullable Page get(String path) {
        return switch (path.split("\\?", 2)[0]) {
            case "/" -> new Page(200, "text/html; charset=utf-8", html.html());
            case "/health" -> new Page(process.isDraining() ? 503 : 200, JSON, Json.write(health()));
            case "/ready" -> {
                Health health = Health.of(process);
                yield new Page(health.isUp() ? 200 : 503, JSON, Json.write(health.toMap()));
            }
            case "/flows" -> new Page(200, JSON, PageJson.flows(process));
            case "/settings" -> new Page(200, JSON, PageJson.settings(process));
            case "/fleet" -> new Page(200, JSON, Json.write(Map.of("fleets", process.fleets())));
            case "/history" -> new Page(200, JSON, recorder.history().find(path));
            case "/transactions" -> TransactionSearch.find(process, path);
            default -> null;
        };
    }

    private Map<String, Object> health() {
        List<String> unreachable = new ArrayList<>(process.outages());
        unreachable.addAll(recorder.unreachable());
        Map<String, Object> all = object("status", process.isDraining() ? "draining" : "ok");
        if (!unreachable.isEmpty()) {
            all.put("unreachable", unreachable);
        }
        return all;
    }

    /**
     * Sends server-sent events, one a second, until the client or this closes.
     *
     * @param lastEventId the request's Last-Event-ID; null for none
     * @param client called once, if there is room
     * @return null; or the answer, if there are too many streams
     */
    public @Nullable Page stream(@Nullable String lastEventId, StreamOpener client) {
        return events.send(lastEventId, client);
    }

    /** Ends the event streams, and waits up to a second for that. Idempotent. */
    @Override
    public void close() {
        recorder.close();
        events.awaitEnds();
    }
}
