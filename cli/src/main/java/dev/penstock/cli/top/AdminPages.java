package dev.penstock.cli.top;

import static java.net.http.HttpResponse.BodyHandlers.limiting;
import static java.net.http.HttpResponse.BodyHandlers.ofString;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client of the admin server of a gateway. Not thread-safe.
 *
 * @param at the base URL, with a trailing slash
 * @param client the HTTP client
 * @param token of the gateway; empty for none
 */
public record AdminPages(URI at, HttpClient client, String token) implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Duration CHANGE_TIMEOUT = Duration.ofMinutes(1);
    private static final int DRAINING = 503;
    /** The variable of the environment that has the token: an argument would show it to every user of the machine. */
    private static final String TOKEN = "PENSTOCK_TOKEN";

    private static final long MAX_BYTES = 8L << 20;
    private static final JsonMapper JSON = JsonMapper.shared();

    /**
     * Creates a client for an address.
     *
     * @param address {@code http://HOST:PORT} or {@code HOST:PORT}
     * @throws IllegalArgumentException invalid address, with a one-line remedy
     */
    public static AdminPages of(String address) {
        String url = address.contains("://") ? address : "http://" + address;
        URI at;
        try {
            at = URI.create(url.endsWith("/") ? url : url + "/");
        } catch (IllegalArgumentException broken) {
            throw invalidAddress(address);
        }
        if (at.getHost() == null
                || !(at.getScheme().equals("http") || at.getScheme().equals("https"))) {
            throw invalidAddress(address);
        }
        return new AdminPages(
                at,
                HttpClient.newBuilder().connectTimeout(TIMEOUT).build(),
                System.getenv().getOrDefault(TOKEN, ""));
    }

    private static IllegalArgumentException invalidAddress(String address) {
        return new IllegalArgumentException("\"" + address
                + "\" is not an admin address: use http://HOST:PORT, for instance http://127.0.0.1:9090");
    }

    /**
     * Reads all displayed data.
     *
     * @throws IOException the gateway does not answer, with a one-line remedy
     */
    Snapshot read() throws IOException, InterruptedException {
        return new Snapshot(
                json("health").path("status").asString(""),
                json("flows").path("flows"),
                json("settings").path("flows"));
    }

    /**
     * Reads one page.
     *
     * @throws IOException as above
     */
    public JsonNode json(String page) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(HttpRequest.newBuilder(at.resolve(page)), TIMEOUT);
        try {
            if (answer.statusCode() != 200 && answer.statusCode() != DRAINING) {
                throw notAGateway(page, null);
            }
            return JSON.readTree(answer.body());
        } catch (JacksonException other) {
            throw notAGateway(page, other);
        }
    }

    /**
     * Asks for a change, and waits up to a minute for it.
     *
     * @throws IOException as above
     */
    public Answer post(String page) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                send(HttpRequest.newBuilder(at.resolve(page)).POST(BodyPublishers.noBody()), CHANGE_TIMEOUT);
        try {
            return new Answer(answer.statusCode(), JSON.readTree(answer.body()));
        } catch (JacksonException other) {
            throw notAGateway(page, other);
        }
    }

    private HttpResponse<String> send(HttpRequest.Builder request, Duration timeout)
            throws IOException, InterruptedException {
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> answer;
        try {
            answer = client.sendAsync(request.timeout(timeout).build(), limiting(ofString(), MAX_BYTES))
                    .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IOException(
                    "no answer from a gateway at " + at
                            + ": check that it is running, and admin: { port } in its flow file (" + failed + ")",
                    failed);
        }
        if (answer.statusCode() == 401 || answer.statusCode() == 403) {
            throw new IOException("the gateway at " + at + " shows and changes nothing without a token: set " + TOKEN
                    + " to the admin.token of its flow file, or to its admin.view_token, which only shows");
        }
        return answer;
    }

    private IOException notAGateway(String page, @Nullable Exception why) {
        return new IOException(
                "the server at " + at + page + " is not a compatible gateway: use the admin address of a gateway", why);
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    /** An answer with its status. */
    public record Answer(int status, JsonNode body) {}

    /**
     * The data read from the admin server.
     *
     * @param health the status of {@code /health}
     * @param flows the flows of {@code /flows}
     * @param settings the settings of {@code /settings}, by flow
     */
    record Snapshot(String health, JsonNode flows, JsonNode settings) {}
}
