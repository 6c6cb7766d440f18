package dev.penstock.http.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Failed;
import dev.penstock.flow.Flow;
import dev.penstock.http.Calls;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.RawPeer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** GET requests that a flow collapses, over sockets. */
@Timeout(120)
class GetCollapseRealClockTest {
    /** A server that answers by the path of each request: 200 and a body, or only 404. */
    private static RawPeer server(Function<String, String> bodies, CountDownLatch open) throws Exception {
        return RawPeer.start(talk -> {
            for (String request = talk.request(); request != null; request = talk.request()) {
                open.await();
                String body = bodies.apply(request.split(" ")[1]);
                String status = body.isEmpty() ? "404 Not Found" : "200 OK";
                talk.send("HTTP/1.1 " + status + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            }
        });
    }

    private static Map<String, HttpAnswer> answers(Flow<HttpCall, HttpAnswer> flow, List<String> paths)
            throws Exception {
        Map<String, HttpAnswer> answers = new HashMap<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Map<String, Future<HttpAnswer>> futures = new HashMap<>();
            for (String path : paths) {
                futures.put(path, callers.submit(() -> flow.call(HttpCall.get(path))));
            }
            for (Map.Entry<String, Future<HttpAnswer>> future : futures.entrySet()) {
                answers.put(future.getKey(), future.getValue().get());
            }
        }
        return answers;
    }

    private static List<String> urls(RawPeer server) {
        return server.requests().stream().map(request -> request.split(" ")[1]).toList();
    }

    private static String list(String path) {
        return path.startsWith("/v1/n?ids=")
                ? "[\"" + path.substring("/v1/n?ids=".length()).replace(",", "\",\"") + "\"]"
                : "\"" + path.substring("/v1/n/".length()) + "\"";
    }

    @Test
    void manyGetsBecomeFewWhoseUrlsAreShort() throws Exception {
        List<String> paths = new ArrayList<>();
        for (int id = 0; id < 300; id++) {
            paths.add("/n/" + id + "x".repeat(60));
        }
        CountDownLatch open = new CountDownLatch(1);
        try (RawPeer server = server(GetCollapseRealClockTest::list, open);
                HttpTarget target =
                        HttpTarget.at(server.url("/v1/n")).sourcePath("/n").build()) {
            HttpBatch batches = HttpBatch.over(target.onHost(), GetBatch.of("/v1/n?ids={id}"))
                    .onPath("/n");
            Flow<HttpCall, HttpAnswer> flow = Flow.named("n")
                    .deadline(Duration.ofSeconds(60))
                    .concurrency(2)
                    .queueLength(1_000)
                    .to(batches.collapse().budget(Duration.ofMillis(50)).alone(target));
            Thread.ofVirtual().start(() -> {
                Calls.until(() -> flow.accounting().inFlight() == paths.size());
                open.countDown();
            });
            answers(flow, paths)
                    .forEach((path, answer) ->
                            assertThat(answer.text()).isEqualTo("\"" + path.substring("/n/".length()) + "\""));
            assertThat(urls(server)).allMatch(url -> url.length() <= GetBatch.MAX_URL);
            assertThat(server.requests()).hasSizeLessThan(200);
            assertThat(target.connections().get("opened")).isLessThanOrEqualTo(2);
            assertThat(batches.where()).isEqualTo(server.url("/"));
        }
    }

    @Test
    void whatIsNotThereIsThe404OfItsOwnRequest() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        try (RawPeer server = server(path -> path.contains("7") ? "" : list(path), open);
                HttpTarget target =
                        HttpTarget.at(server.url("/v1/n")).sourcePath("/n").build()) {
            HttpBatch batches =
                    HttpBatch.over(target, GetBatch.of("/v1/n?ids={id}")).onPath("/n");
            Flow<HttpCall, HttpAnswer> flow = Flow.named("n")
                    .concurrency(1)
                    .queueLength(100)
                    .to(batches.collapse().alone(target));
            open.countDown();
            Map<String, HttpAnswer> answers = answers(flow, List.of("/n/1", "/n/2", "/n/7", "/n/3", "/n/4"));
            answers.forEach((path, answer) -> assertThat(answer.status()).isEqualTo(path.equals("/n/7") ? 404 : 200));
        }
    }

    @Test
    void aQueryOfTheTargetDoesNotReplaceTheIds() throws Exception {
        CountDownLatch open = new CountDownLatch(0);
        try (RawPeer server = server(GetCollapseRealClockTest::list, open);
                HttpTarget target = HttpTarget.of(server.url("/other?x=1"))) {
            HttpBatch batches = HttpBatch.over(target, GetBatch.of("/v1/n?ids={id}"));
            HttpCall one = HttpCall.get("/n/1").withHeader("Accept", "application/json");
            assertThat(batches.call(List.of(one)).answer(0).text()).isEqualTo("\"1\"");
            assertThat(server.requests().getFirst())
                    .startsWith("GET /v1/n?ids=1 HTTP/1.1\r\n")
                    .contains("\r\nAccept: application/json\r\n");
        }
    }

    @Test
    void credentialsAndForeignPathsDoNotShareAUrl() throws Exception {
        try (HttpBatch batches = HttpBatch.over(HttpTarget.of("http://127.0.0.1:1"), GetBatch.of("/v1/n?ids={id}"))
                .onPath("/n")) {
            HttpCall one = HttpCall.get("/n/1").withHeader("Authorization", "a");
            HttpCall two = HttpCall.get("/n/2").withHeader("Authorization", "b");
            assertThatThrownBy(() -> batches.call(List.of(one, two))).isInstanceOf(Failed.class);
            assertThat(batches.fits(one)).isTrue();
            assertThat(batches.fits(HttpCall.get("/n"))).isFalse();
            assertThat(batches.fits(HttpCall.get("/m/1"))).isFalse();
            assertThat(batches.fits(HttpCall.get("/n/a/1"))).isFalse();
            assertThat(batches.fits(one.withHeader("If-None-Match", "x"))).isFalse();
        }
    }
}
