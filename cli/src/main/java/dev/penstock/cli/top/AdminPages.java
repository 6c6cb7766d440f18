package dev.penstock.cli.top;

import static java.net.http.HttpResponse.BodyHandlers.limiting;
import static java.net.http.HttpResponse.BodyHandlers.ofString;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
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
 * The admin pages of a gateway, as somebody elsewhere reads them. For one thread.
 *
 * @param at where they are, with a slash at its end
 * @param client asks for them
 */
record AdminPages(URI at, HttpClient client) implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int DRAINING = 503;
    private static final long MOST_BYTES = 8L << 20;
    private static final JsonMapper JSON = JsonMapper.shared();

    /**
     * The pages at an address.
     *
     * @param address {@code http://HOST:PORT} or {@code HOST:PORT}
     * @throws IllegalArgumentException when it is neither, in one line that says what to do
     */
    static AdminPages of(String address) {
        String url = address.contains("://") ? address : "http://" + address;
        URI at;
        try {
            at = URI.create(url.endsWith("/") ? url : url + "/");
        } catch (IllegalArgumentException broken) {
            throw notOne(address);
        }
        if (at.getHost() == null
                || !(at.getScheme().equals("http") || at.getScheme().equals("https"))) {
            throw notOne(address);
        }
        return new AdminPages(
                at, HttpClient.newBuilder().connectTimeout(PATIENCE).build());
    }

    private static IllegalArgumentException notOne(String address) {
        return new IllegalArgumentException("\"" + address
                + "\" is no address of admin pages: give http://HOST:PORT, for instance http://127.0.0.1:9090");
    }

    /**
     * Asks for all that is shown.
     *
     * @throws IOException when they cannot be read, in one line that says what to do
     */
    Snapshot read() throws IOException, InterruptedException {
        return new Snapshot(
                json("health").path("status").asString(""),
                json("flows").path("flows"),
                json("settings").path("flows"));
    }

    private JsonNode json(String page) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(at.resolve(page)).timeout(PATIENCE).build();
        HttpResponse<String> answer;
        try {
            answer = client.sendAsync(request, limiting(ofString(), MOST_BYTES))
                    .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException silent) {
            throw new IOException(
                    "no gateway answers at " + at + ": see whether it runs, and what admin: { port } its file says ("
                            + silent + ")",
                    silent);
        }
        try {
            if (answer.statusCode() != 200 && answer.statusCode() != DRAINING) {
                throw notOurs(page, null);
            }
            return JSON.readTree(answer.body());
        } catch (JacksonException other) {
            throw notOurs(page, other);
        }
    }

    private IOException notOurs(String page, @Nullable Exception why) {
        return new IOException(
                "what answers at " + at + page + " is no gateway of this kind: give the address of its admin pages",
                why);
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
