package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A flow whose GET requests are collapsed by weight: one call asks for the sum, and its answer is cut up. */
@Timeout(300)
class WeightGatewayRealClockTest {
    private static final int REQUESTS = 20;

    @TempDir
    Path folder;

    private static CompletableFuture<HttpResponse<String>> ask(Gateway gateway, int howMany) {
        URI url = URI.create(Running.url(gateway) + "?howMany=" + howMany);
        return Running.CLIENT.sendAsync(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString());
    }

    @Test
    void oneCallAsksForTheSumAndEachClientGetsAsManyAsItAskedFor() throws Exception {
        try (BatchPeer peer = new BatchPeer();
                Gateway gateway = Running.gateway(
                        folder, """
                        shutdown: { drain: 60s }
                        flows:
                          numbers:
                            from: { http: { port: 0, path: /numbers } }
                            to: { http: { url: "%s" } }
                            deadline: 120s
                            queue: { time: 60s }
                            limit: 1
                            collapse: { get: "%s", weight: /howMany, budget: 2s }
                        """.formatted(peer.url("/v1/numbers"), peer.url("/v1/numbers?howMany={howMany}")))) {
            peer.hold();
            List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
            for (int n = 0; n < REQUESTS; n++) {
                sent.add(ask(gateway, 1 + n % 5));
            }
            Running.until(() -> gateway.flows().getFirst().snapshot().account().inFlight() == REQUESTS);
            peer.release();
            List<Integer> numbers = new ArrayList<>();
            for (int n = 0; n < REQUESTS; n++) {
                HttpResponse<String> answer = sent.get(n).join();
                assertThat(answer.statusCode()).isEqualTo(200);
                JsonNode list = JsonMapper.shared().readTree(answer.body());
                assertThat(list.size()).isEqualTo(1 + n % 5);
                list.forEach(number -> numbers.add(number.asInt()));
            }
            assertThat(numbers)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, 60).boxed().toList());
            assertThat(peer.howMany.stream().mapToInt(Integer::intValue).sum()).isEqualTo(60);
            assertThat(peer.howMany).hasSizeLessThan(REQUESTS / 2).anyMatch(asked -> asked > 5);
            assertThat(gateway.flows().getFirst().snapshot().account().answered())
                    .isEqualTo(REQUESTS);
        }
    }

    @Test
    void requestWithoutAWeightGoesAlone() throws Exception {
        try (BatchPeer peer = new BatchPeer();
                Gateway gateway = Running.gateway(
                        folder, """
                        flows:
                          articles:
                            from: { http: { port: 0, path: /articles } }
                            to: { http: { url: "%s" } }
                            collapse: { get: "%s", weight: /howMany, budget: 50ms }
                        """.formatted(peer.url("/v1/articles"), peer.url("/v1/numbers?howMany={howMany}")))) {
            assertThat(Running.get(Running.url(gateway) + "?id=7").body()).isEqualTo("{\"id\":7}");
            assertThat(Running.get(Running.url(gateway) + "?howMany=0").body()).isEqualTo("{\"id\":0}");
            assertThat(peer.howMany).isEmpty();
        }
    }
}
