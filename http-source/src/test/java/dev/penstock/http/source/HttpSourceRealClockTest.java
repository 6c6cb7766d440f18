package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Unknown;
import dev.penstock.http.Calls;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.RawPeer;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On real sockets and the real clock: what a client sees, and what a bad one cannot do. */
@Timeout(120)
class HttpSourceRealClockTest {
    private final List<HttpCall> calls = new CopyOnWriteArrayList<>();
    private final List<HttpSource> sources = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeAll() {
        sources.forEach(HttpSource::close);
    }

    private HttpAnswer echo(HttpCall call) {
        calls.add(call);
        return HttpAnswer.of(200, Headers.none(), call.body());
    }

    private HttpSource started(HttpSourceBuilder builder) throws IOException {
        HttpSource source = builder.build();
        sources.add(source);
        source.start();
        return source;
    }

    private RawClient client(Service<HttpCall, HttpAnswer> service) throws IOException {
        return new RawClient(started(HttpSource.on(0)
                        .route("/pay", "payments", RequestGate.open(service), 100, List.of(), List.of()))
                .port());
    }

    private static String request(String method, String path, String fields, String body) {
        return method + " " + path + " HTTP/1.1\r\nHost: h\r\n" + fields + "Content-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    private static String post(String fields, String body) {
        return request("POST", "/pay", fields, body);
    }

    @Test
    void bringsTheRequestToTheFlowAndTheAnswerBackUnchanged() throws Exception {
        try (RawClient client = client(call -> {
            calls.add(call);
            return HttpAnswer.of(418, "no tea")
                    .withHeader("X-Pot", "a")
                    .withHeader("Connection", "X-Inner")
                    .withHeader("X-Inner", "1");
        })) {
            String fields =
                    "Idempotency-Key: k\r\nConnection: X-Hop\r\nX-Hop: 1\r\nTE: trailers\r\nContent-Encoding: gzip\r\nVia: 1.1 a\r\n";
            client.send(request("POST", "/pay/1?a=%20b", fields, "<pay/>"));
            assertThat(client.answer())
                    .startsWith("HTTP/1.1 418 ")
                    .contains("\r\nX-Pot: a\r\n", "\r\nPenstock-Ending: answered\r\n", "\r\nContent-Length: 6\r\n")
                    .doesNotContain("X-Inner", "Connection")
                    .endsWith("\r\n\r\nno tea");
            HttpCall call = calls.getFirst();
            assertThat(call.method()).isEqualTo("POST");
            assertThat(call.path()).isEqualTo("/pay/1?a=%20b");
            assertThat(call.key("idempotency-KEY")).isEqualTo("k");
            assertThat(call.body()).asString().isEqualTo("<pay/>");
            assertThat(call.headers().all("via")).hasSize(2).startsWith("1.1 a");
            assertThat(call.headers().all("via").getLast()).matches("1\\.1 penstock-[0-9a-f]{16}");
            assertThat(call.headers().first("Content-Encoding")).isEqualTo("gzip");
            assertThat(call.headers().toString()).doesNotContain("X-Hop", "TE", "Connection", "Content-Length");
        }
    }

    @Test
    void passesEveryMethodThatCarriesATransaction() throws Exception {
        try (RawClient client = client(this::echo)) {
            for (String method : List.of("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS")) {
                assertThat(client.send(request(method, "/pay", "", "x")).answer())
                        .startsWith("HTTP/1.1 200 ")
                        .endsWith("\r\n\r\nx");
            }
            client.send("HEAD /pay HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 200 ").contains("Penstock-Ending: answered");
            assertThat(calls)
                    .extracting(HttpCall::method)
                    .containsExactly("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD");
            assertThat(client.send("TRACE /pay HTTP/1.1\r\nHost: h\r\n\r\n").answer())
                    .startsWith("HTTP/1.1 405 ")
                    .contains("Allow: GET, HEAD, POST");
            assertThat(client.send("CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n")
                            .answer())
                    .startsWith("HTTP/1.1 501 ");
            assertThat(client.send("CONNECT /pay HTTP/1.1\r\nHost: h\r\n\r\n").answer())
                    .as("not an authority")
                    .startsWith("HTTP/1.1 400 ");
            assertThat(calls).hasSize(7);
        }
    }

    @Test
    void passesAnswersWithoutContentAndFieldsThatComeTwice() throws Exception {
        try (RawClient client = client(call -> HttpAnswer.of(
                call.path().endsWith("304") ? 304 : 204,
                Headers.of(List.of(
                        new Header("Set-Cookie", "a=1"),
                        new Header("Set-Cookie", "b=2"),
                        new Header("Content-Length", "7"))),
                new byte[0]))) {
            for (String status : List.of("204", "304")) {
                client.send("GET /pay/" + status + " HTTP/1.1\r\nHost: h\r\n\r\n");
                assertThat(client.head())
                        .startsWith("HTTP/1.1 " + status)
                        .contains("Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n");
                client.send("HEAD /pay/" + status + " HTTP/1.1\r\nHost: h\r\n\r\n");
                assertThat(client.head()).startsWith("HTTP/1.1 " + status);
            }
        }
    }

    @Test
    void saysHowATransactionEndedWithoutAnAnswer() throws Exception {
        AtomicReference<Throwable> ending = new AtomicReference<>();
        HttpSource source =
                started(HttpSource.on(0).random(() -> Long.MAX_VALUE).route("/pay", "pay\"ments\n", _ -> {
                    if (ending.get() instanceof Error error) {
                        throw error;
                    }
                    throw (Exception) ending.get();
                }));
        try (RawClient client = new RawClient(source.port())) {
            ending.set(new Rejected(Rejected.Cause.LIMIT, "secret.host:1", Duration.ofMillis(1_600), null));
            assertThat(client.send(post("", "")).answer())
                    .startsWith("HTTP/1.1 503 ")
                    .contains("Penstock-Ending: rejected\r\n", "Content-Type: application/problem+json\r\n")
                    .containsPattern("Retry-After: (2|3|4)\r\n")
                    .contains(
                            "\"status\":503",
                            "\"ending\":\"rejected\",\"cause\":\"limit\",\"flow\":\"pay\\\"ments\\n\"}")
                    .doesNotContain("secret");
            ending.set(new Failed(Failed.Cause.CONNECT, "secret"));
            assertThat(client.send(post("", "")).answer())
                    .startsWith("HTTP/1.1 502 ")
                    .contains("Penstock-Ending: failed\r\n", "\"cause\":\"connect\"")
                    .doesNotContain("secret", "Retry-After");
            ending.set(new Unknown(Unknown.Cause.TIMEOUT, "secret"));
            assertThat(client.send(post("", "")).answer())
                    .startsWith("HTTP/1.1 504 ")
                    .contains("Penstock-Ending: unknown\r\n", "\"cause\":\"timeout\"")
                    .doesNotContain("secret");
            for (Throwable unexpected :
                    List.of(new IllegalStateException("secret"), new StackOverflowError("secret"))) {
                ending.set(unexpected);
                assertThat(client.send(post("", "")).answer())
                        .startsWith("HTTP/1.1 504 ")
                        .contains("Penstock-Ending: unknown\r\n", "\"cause\":\"error\"")
                        .doesNotContain("secret", "IllegalState", "Overflow");
            }
        }
    }

    @Test
    void leadsToTheFlowOfTheLongestPath() throws Exception {
        HttpSource source = started(HttpSource.on(0)
                .route("/v1", "short", _ -> HttpAnswer.of(200, "short"))
                .route("/v1/pay", "long", _ -> HttpAnswer.of(200, "long")));
        try (RawClient client = new RawClient(source.port())) {
            assertThat(client.send(request("GET", "/v1/pay/1", "", "")).answer())
                    .endsWith("long");
            assertThat(client.send(request("GET", "/v1/payX", "", "")).answer()).endsWith("short");
            assertThat(client.send("GET /v2 HTTP/1.1\r\nHost: h\r\n\r\n").answer())
                    .startsWith("HTTP/1.1 404 ")
                    .contains("application/problem+json", "Penstock-Ending: none\r\n");
            assertThat(client.send(request("GET", "/v1/pay", "", "")).answer()).endsWith("long");
        }
    }

    @Test
    void turnsMalformedRequestsAwayWithoutATransaction() throws Exception {
        HttpSource source = started(
                HttpSource.on(0).route("/pay", "payments", RequestGate.open(this::echo), 100, List.of(), List.of()));
        String[][] cases = {
            {"400", "nonsense\r\n\r\n"},
            {"505", "GET  HTTP/1.1\r\nHost: h\r\n\r\n"}, // a target HTTP/1.1, and no version
            {"400", "GET /pay HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n"},
            {"400", "GET /pay HTTP/1.1\r\nHost: h\r\nX: a\rInjected: 1\r\n\r\n"},
            {"400", "GET /pay HTTP/1.1\r\nHost: h\r\nX: a\nInjected: 1\r\n\r\n"},
            {"400", "GET /pay HTTP/1.1\r\nHost: h\r\nX: \u0000\r\n\r\n"},
            {"400", "GET /pay HTTP/1.1\r\nHost: h\r\nX: \u00e4\r\n\r\n"},
            {"400", "GET /pay HTTP/1.1\r\nHost: h\r\nX : a\r\n\r\n"},
            {"400", "GET /pay HTTP/1.1\r\n\r\n"},
            {"400", "GET /pay/../admin HTTP/1.1\r\nHost: h\r\n\r\n"},
            {"400", "GET /pay/%2E%2e/admin HTTP/1.1\r\nHost: h\r\n\r\n"},
            {"400", "POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n"},
            {"400", "POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 1x\r\n\r\nab"},
            {"400", "POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"},
            {"400", "POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            },
            {"400", "POST /pay HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"},
            {"400", "GET /pay HTTP/1.1\r\nHost: h\r\nPenstock-Deadline-Ms: soon\r\n\r\n"},
            {"400", "GET /pay HTTP/1.1\r\nHost: h\r\nPenstock-Deadline-Ms: 0\r\n\r\n"},
            {"400", "GET /pay HTTP/1.1\r\nHost: h\r\nPenstock-Deadline-Ms: -5\r\n\r\n"},
            {"413", "POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 101\r\n\r\n"},
            {"413", "POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 101\r\n\r\n" + "x".repeat(101)},
            {
                "413",
                "POST /pay HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" + "x".repeat(101)
                        + "\r\n0\r\n\r\n"
            },
            {
                "413",
                "POST /pay HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + "3c\r\n" + "x".repeat(60)
                        + "\r\n3c\r\n" + "x".repeat(60) + "\r\n"
            },
            {"400", "POST /pay HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5;" + "x".repeat(100_000)},
            {"414", "GET /pay/" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: h\r\n\r\n"},
            {"431", "GET /pay HTTP/1.1\r\nHost: h\r\nX: " + "y".repeat(17_000) + "\r\n\r\n"},
            {"431", "GET /pay HTTP/1.1\r\nHost: h\r\n" + "X: y\r\n".repeat(3_000) + "\r\n"},
            {"400", "P(ST /pay HTTP/1.1\r\nHost: h\r\n\r\n"},
            {"400", "POST /pay HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhiXX0\r\n\r\n"},
            {"400", "POST /pay HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n+2\r\nhi\r\n0\r\n\r\n"},
            {"505", "GET /pay HTTP/2.0\r\nHost: h\r\n\r\n"},
        };
        for (String[] expected : cases) {
            try (RawClient client = new RawClient(source.port())) {
                client.sendWhatGoes(expected[1]);
                assertThat(answerOrWhy(client))
                        .as(expected[1].substring(0, Math.min(120, expected[1].length())))
                        .startsWith("HTTP/1.1 " + expected[0] + " ")
                        .contains("Content-Type: application/problem+json", "\"status\":" + expected[0])
                        .contains("Penstock-Ending: none\r\n", "\"ending\":\"none\"", "\"cause\":\"bad_input\"")
                        .doesNotContain("Exception", "etty", "<html");
            }
        }
        assertThat(calls).isEmpty();
    }

    private static String answerOrWhy(RawClient client) {
        try {
            return String.valueOf(client.answer());
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void neverTakesAnUnreadBodyForTheNextRequest() throws Exception {
        try (RawClient client = client(this::echo)) {
            client.send("POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 200\r\n\r\n" + post("", "smuggled")
                    + "x".repeat(200));
            assertThat(client.answer()).startsWith("HTTP/1.1 413 ").contains("Connection: close");
            assertThat(client.isClosed()).isTrue();
            assertThat(calls).isEmpty();
        }
    }

    @Test
    void readsAChunkedBodyAndAnExpectedOne() throws Exception {
        try (RawClient client = client(this::echo)) {
            client.send(
                    "POST /pay HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n");
            assertThat(client.answer()).endsWith("\r\n\r\nabc");
            client.send("POST /pay HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
            assertThat(client.answer()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            assertThat(client.send("de").answer()).endsWith("\r\n\r\nde");
            client.send(post("", "fg") + post("", "hi"));
            assertThat(client.answer()).endsWith("\r\n\r\nfg");
            assertThat(client.answer()).endsWith("\r\n\r\nhi");
        }
    }

    @Test
    void theTimeThatTheClientGivesBoundsTheTransaction() throws Exception {
        AtomicReference<Duration> left = new AtomicReference<>();
        try (RawClient client = client(call -> {
            Deadline deadline = Deadline.current();
            left.set(deadline == null ? Duration.ZERO : deadline.left());
            assertThat(call.headers().has("Penstock-Deadline-Ms")).isFalse();
            return HttpAnswer.of(200, "");
        })) {
            client.send(post("penstock-deadline-ms: 500000\r\n", "")).answer();
            assertThat(left.get()).isBetween(Duration.ofSeconds(300), Duration.ofSeconds(500));
            client.send(post("", "")).answer();
            assertThat(left.get()).isZero();
        }
    }

    @Test
    void cutsAClientThatSendsAByteNowAndThen() throws Exception {
        HttpSource source = started(HttpSource.on(0)
                .headerTime(Duration.ofSeconds(1))
                .bodyTime(Duration.ofSeconds(1))
                .route("/pay", "payments", this::echo));
        List<String> starts = List.of(
                "GET /pay HT",
                "GET /pay HTTP/1.1\r\nHost: h\r\nX: ",
                "POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 900\r\n\r\n",
                "POST /pay HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1");
        List<RawClient> clients = new ArrayList<>();
        List<Thread> trickles = new ArrayList<>();
        for (String start : starts) {
            RawClient client = new RawClient(source.port()).send(start);
            clients.add(client);
            trickles.add(trickle(client));
        }
        for (int i = 0; i < starts.size(); i++) {
            try (RawClient client = clients.get(i)) {
                assertThat(client.answer())
                        .as(starts.get(i))
                        .startsWith("HTTP/1.1 408 ")
                        .contains("Connection: close", "application/problem+json", "Penstock-Ending: none\r\n");
                assertThat(client.isClosed()).isTrue();
            }
            trickles.get(i).interrupt();
        }
        assertThat(calls).isEmpty();
        eventuallyNobodyIsConnected(source);
    }

    private static Thread trickle(RawClient client) {
        return Thread.ofVirtual().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                client.sendWhatGoes("1");
                LockSupport.parkNanos(200_000_000);
            }
        });
    }

    @Test
    void closesConnectionsOnWhichNothingComes() throws Exception {
        HttpSource hasty =
                started(HttpSource.on(0).headerTime(Duration.ofMillis(100)).route("/pay", "payments", this::echo));
        HttpSource source =
                started(HttpSource.on(0).idleTime(Duration.ofMillis(100)).route("/pay", "payments", this::echo));
        try (RawClient silent = new RawClient(hasty.port());
                RawClient once = new RawClient(source.port())) {
            assertThat(once.send(post("", "x")).answer()).endsWith("x");
            assertThat(once.isClosed()).isTrue();
            assertThat(silent.isClosed()).isTrue();
        }
        eventuallyNobodyIsConnected(hasty);
        eventuallyNobodyIsConnected(source);
    }

    @Test
    void aClientThatDoesNotTakeItsAnswerIsCut() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        HttpSource source =
                started(HttpSource.on(0).bodyTime(Duration.ofMillis(200)).route("/pay", "payments", _ -> {
                    arrived.countDown();
                    return HttpAnswer.of(200, Headers.none(), new byte[64 << 20]);
                }));
        try (RawClient client = new RawClient(source.port())) {
            client.send(post("", ""));
            arrived.await();
            eventuallyNobodyIsConnected(source);
        }
    }

    @Test
    void aClientThatGoesAwayDoesNotUndoItsTransaction() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        HttpSource source = started(HttpSource.on(0).route("/pay", "payments", call -> {
            arrived.countDown();
            gone.await();
            done.countDown();
            return HttpAnswer.of(200, Headers.none(), new byte[1 << 20]);
        }));
        try (LogCatcher log = new LogCatcher("org.eclipse.jetty")) {
            RawClient client = new RawClient(source.port());
            client.send(post("", ""));
            arrived.await();
            client.rst();
            gone.countDown();
            done.await();
            eventuallyNobodyIsConnected(source);
            try (RawClient halfHead = new RawClient(source.port())) {
                halfHead.send("GET /pay HTTP/1.1\r\nHo").rst();
            }
            try (RawClient halfBody = new RawClient(source.port())) {
                halfBody.send("POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab");
            }
            eventuallyNobodyIsConnected(source);
            assertThat(log.warnings()).isEmpty();
        }
    }

    @Test
    void drainsWithATransactionInFlight() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        HttpSource source = started(HttpSource.on(0).route("/pay", "payments", call -> {
            if (call.body().length > 0) {
                arrived.countDown();
                answer.await();
            }
            return HttpAnswer.of(200, "done");
        }));
        try (RawClient flying = new RawClient(source.port());
                RawClient kept = new RawClient(source.port())) {
            assertThat(kept.send(post("", "")).answer()).doesNotContain("Connection: close");
            flying.send(post("", "x"));
            arrived.await();
            assertThat(source.isAnswering()).isTrue();
            source.stopAccepting();
            source.stopAccepting();
            assertThatThrownBy(() -> new RawClient(source.port())).isInstanceOf(ConnectException.class);
            answer.countDown();
            assertThat(flying.answer())
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Connection: close")
                    .endsWith("done");
            assertThat(flying.isClosed()).isTrue();
            assertThat(kept.send(post("", "")).answer())
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Connection: close");
            assertThat(kept.isClosed()).isTrue();
            Calls.until(() -> !source.isAnswering());
        }
        eventuallyNobodyIsConnected(source);
    }

    @Test
    void carriesACallFromClientToTargetAndBack() throws Exception {
        try (RawPeer peer = RawPeer.start(talk -> {
                    String request = talk.request();
                    while (request != null) {
                        String length = "HTTP/1.1 200 OK\r\nDate: D\r\nX-Kept: 1\r\nContent-Length: 5\r\n\r\n";
                        talk.send(request.startsWith("HEAD") ? length : length + "moved");
                        request = talk.request();
                    }
                });
                HttpTarget target =
                        HttpTarget.at(peer.url("/v1/tx")).sourcePath("/pay").build()) {
            HttpSource source = started(HttpSource.on(0).route("/pay", "payments", target));
            try (RawClient client = new RawClient(source.port())) {
                client.send(request("POST", "/pay/1", "Idempotency-Key: k\r\nPenstock-Deadline-Ms: 500000\r\n", "x"));
                assertThat(client.answer())
                        .contains("\r\nDate: D\r\n", "\r\nX-Kept: 1\r\n")
                        .endsWith("moved");
                client.send("HEAD /pay HTTP/1.1\r\nHost: h\r\n\r\n");
                assertThat(client.head()).contains("\r\nContent-Length: 5\r\n");
                assertThat(peer.requests().getFirst())
                        .startsWith("POST /v1/tx/1 HTTP/1.1\r\nHost: 127.0.0.1:" + peer.port() + "\r\n")
                        .contains("\r\nIdempotency-Key: k\r\n", "\r\nVia: 1.1 penstock-")
                        .containsPattern("\r\nPenstock-Deadline-Ms: [34]\\d{5}\r\n");
            }
        }
    }

    @Test
    void closingEndsEverythingAndFreesThePort() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        HttpSource source = started(HttpSource.on(0).route("/pay", "payments", call -> {
            arrived.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
            return HttpAnswer.of(200, "");
        }));
        try (RawClient flying = new RawClient(source.port());
                RawClient idle = new RawClient(source.port())) {
            flying.send(post("", "x"));
            arrived.await();
            source.close();
            source.close();
            assertThat(flying.isClosed()).isTrue();
            assertThat(idle.isClosed()).isTrue();
            interrupted.await();
        }
        started(HttpSource.on(source.port()).route("/pay", "payments", this::echo));
    }

    @Test
    void saysWhatToDoWhenItCannotListen() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            HttpSource source =
                    HttpSource.on(port).route("/pay", "payments", this::echo).build();
            assertThatThrownBy(source::start)
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "port " + port
                                    + " on 127.0.0.1 is already in use: stop the process that listens there or set another port");
        }
        assertThatThrownBy(HttpSource.on(0)
                        .host("nowhere.invalid")
                        .route("/pay", "p", this::echo)
                        .build()::start)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nowhere.invalid")
                .hasMessageContaining("set host");
        assertThatThrownBy(HttpSource.on(0)
                        .host("192.0.2.1")
                        .route("/pay", "p", this::echo)
                        .build()::start)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("192.0.2.1")
                .hasMessageContaining("set host");
    }

    private static void eventuallyNobodyIsConnected(HttpSource source) {
        Calls.until(() -> source.connections() == 0);
    }
}
