package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Service;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.RawPeer;
import dev.penstock.http.header.Headers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On real sockets: header fields and targets that must reach the flow, or a client, exactly as they were sent. */
@Timeout(60)
class RequestFieldsRealClockTest {
    private final List<HttpCall> calls = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    private <T extends AutoCloseable> T closing(T one) {
        open.add(one);
        return one;
    }

    private HttpAnswer echo(HttpCall call) {
        calls.add(call);
        return HttpAnswer.of(200, Headers.none(), call.body());
    }

    private RawClient client(HttpSourceBuilder builder) throws IOException {
        HttpSource source = builder.build();
        open.add(source::close);
        source.start();
        return closing(new RawClient(source.port()));
    }

    private RawClient keyed() throws IOException {
        return client(HttpSource.on(0)
                .route(
                        "/pay",
                        "payments",
                        RequestGate.open(this::echo),
                        100,
                        List.of("Idempotency-Key", "X-Ref"),
                        List.of("Tenant")));
    }

    private static String get(String target, String fields) {
        return "GET " + target + " HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n";
    }

    private static String answer(RawClient client, String request) throws IOException {
        return Objects.requireNonNull(client.send(request).answer());
    }

    @ParameterizedTest
    @CsvSource({
        "'Idempotency-Key: k\r\nConnection: idempotency-key\r\n', Connection names idempotency-key",
        "'Connection: a\r\nX-Ref: k\r\nConnection: b, ,x-ref\r\n', Connection names x-ref",
        "'Connection: Tenant\r\n', Connection names Tenant",
        "'Authorization: t\r\nConnection: Authorization\r\n', Connection names Authorization",
        "'Penstock-Deadline-Ms: 9\r\nConnection: penstock-deadline-ms\r\n', Connection names penstock-deadline-ms",
        "'Via: 1.1 a\r\nConnection: via\r\n', Connection names via",
        "'traceparent: t\r\nConnection: Traceparent\r\n', Connection names Traceparent",
        "'X-Forwarded-For: ::1\r\nConnection: x-forwarded-for\r\n', Connection names x-forwarded-for",
        "'Idempotency-Key: k\r\nidempotency-key: k\r\n', 2 fields Idempotency-Key",
        "'X-Ref:\r\nX-Ref: k\r\n', 2 fields X-Ref",
        "'Idempotency-Key: \r\n', Idempotency-Key is empty",
    })
    void aRequestThatWouldLoseOrDoubleItsKeyIsRefused(String fields, String why) throws Exception {
        RawClient client = keyed();
        assertThat(answer(client, get("/pay", fields.replace("\\r\\n", "\r\n"))))
                .startsWith("HTTP/1.1 400 ")
                .contains("application/problem+json", "Penstock-Ending: none", why, "\"flow\":\"payments\"");
        assertThat(calls).isEmpty();
        assertThat(answer(client, get("/pay", "X-Ref: k\r\n"))).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void otherFieldsMayBeHopByHopEmptyOrDouble() throws Exception {
        String fields = "X-Hop: 1\r\nConnection: X-Hop, Proxy-Authorization\r\nProxy-Authorization: p\r\nTenant:\r\n"
                + "X-Empty:\r\nX-Two: 1\r\nX-Two: 2\r\nTenant: t\r\nIdempotency-Key: k\r\n";
        assertThat(answer(keyed(), get("/pay", fields))).startsWith("HTTP/1.1 200 ");
        Headers headers = calls.getFirst().headers();
        assertThat(headers.all("X-Two")).containsExactly("1", "2");
        assertThat(headers.has("X-Hop") || headers.has("Proxy-Authorization")).isFalse();
    }

    /** Null is no field. */
    private static HttpAnswer answered(HttpCall call) {
        String length = call.headers().first("X-Length");
        HttpAnswer answer = HttpAnswer.of(Integer.parseInt(call.path().replaceFirst(".*/", "")), "");
        return length == null ? answer : answer.withHeader("Content-Length", length);
    }

    @ParameterizedTest
    @CsvSource({
        "HEAD, 200,  ,",
        "HEAD, 200, 5, 5",
        "HEAD, 200, 0, 0",
        "HEAD, 204, 5,",
        "HEAD, 304, 5,",
        "GET,  204,  ,",
        "GET,  204, 5,",
        "GET,  304,  ,",
        "GET,  304, 5,",
        "GET,  200,  , 0",
        "GET,  205,  , 0",
        "HEAD, 404,  ,",
    })
    void noContentLengthIsInvented(String method, int status, String sent, String received) throws Exception {
        RawClient client = client(HttpSource.on(0).route("/pay", "payments", RequestFieldsRealClockTest::answered));
        String field = sent == null ? "" : "X-Length: " + sent + "\r\n";
        for (int again = 0; again < 2; again++) { // the connection persists, so the framing is right
            String head = client.send(get("/pay/" + status, field).replaceFirst("GET", method))
                    .head();
            assertThat(head).startsWith("HTTP/1.1 " + status);
            assertThat(head.lines().filter(line -> line.startsWith("Content-Length")))
                    .containsExactlyElementsOf(received == null ? List.of() : List.of("Content-Length: " + received));
        }
        assertThat(client.send(get("/pay/200", "")).head()).contains("\r\nContent-Length: 0\r\n");
    }

    @Test
    void aHeadOfAPageHasNoInventedLength() throws Exception {
        PageServer server = closing(PageServer.at(
                new InetSocketAddress("127.0.0.1", 0), 9, (request, client) -> HttpAnswer.of(200, ""), null));
        server.start();
        RawClient client = closing(new RawClient(server.port()));
        assertThat(client.send(get("/", "").replaceFirst("GET", "HEAD")).head())
                .startsWith("HTTP/1.1 200 ")
                .doesNotContain("Content-Length");
        assertThat(client.send(get("/", "")).head()).contains("\r\nContent-Length: 0\r\n");
    }

    @Test
    void theUrlOfABrowserReachesTheTargetUnchanged() throws Exception {
        String query = "a[]=1&b={x|y}&c=`^\\&d=%5B";
        RawPeer peer = closing(answering());
        HttpTarget target =
                closing(HttpTarget.at(peer.url("/v1")).sourcePath("/pay").build());
        RawClient client = client(HttpSource.on(0).route("/pay", "payments", target));
        assertThat(answer(client, get("/pay/a[1]|{x}?" + query, ""))).startsWith("HTTP/1.1 200 ");
        assertThat(peer.requests().getFirst()).startsWith("GET /v1/a[1]|{x}?" + query + " HTTP/1.1\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/pay/\u00fc",
                "/pay?a=\u00fc&b",
                "http://h/pay?a=\u00fc?b=1",
                "http://h/pay?\u00fc",
                "/pay?a\u0001"
            })
    void aTargetOutsideAsciiIsRefusedAndNotCut(String target) throws Exception {
        assertThat(answer(keyed(), get(target, ""))).startsWith("HTTP/1.1 400 ");
        assertThat(calls).isEmpty();
    }

    private static RawPeer answering() throws IOException {
        return RawPeer.start(talk -> {
            while (talk.request() != null) {
                talk.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            }
        });
    }

    /** A flow at {@code /pay} that passes its requests on. */
    private HttpTarget passingTo(AtomicReference<Service<HttpCall, HttpAnswer>> next) throws IOException {
        HttpSource source = HttpSource.on(0)
                .route("/pay", "payments", call -> {
                    calls.add(call);
                    return next.get().call(call);
                })
                .build();
        open.add(source::close);
        source.start();
        return closing(HttpTarget.of("http://127.0.0.1:" + source.port() + "/pay"));
    }

    @Test
    void aRequestThatComesBackIsALoop() throws Exception {
        AtomicReference<Service<HttpCall, HttpAnswer>> afterOne = new AtomicReference<>(this::echo);
        AtomicReference<Service<HttpCall, HttpAnswer>> afterTwo = new AtomicReference<>(this::echo);
        HttpTarget one = passingTo(afterOne);
        HttpTarget two = passingTo(afterTwo);
        afterOne.set(one);
        HttpAnswer ofItself = one.call(HttpCall.post("/", "x"));
        assertThat(ofItself.status()).isEqualTo(508);
        assertThat(ofItself.headers().first("Penstock-Ending")).isEqualTo("answered");
        assertThat(ofItself.text()).contains("Loop Detected", "\"ending\":\"rejected\",\"cause\":\"loop\"");
        assertThat(ofItself.isTaken()).isFalse();
        assertThat(calls).hasSize(1);
        afterOne.set(two);
        afterTwo.set(one);
        assertThat(one.call(HttpCall.post("/", "x")).status()).isEqualTo(508);
        assertThat(calls).hasSize(3);
        afterTwo.set(this::echo);
        assertThat(one.call(HttpCall.post("/", "x")).text())
                .as("through two flows that are no loop")
                .isEqualTo("x");
    }
}
