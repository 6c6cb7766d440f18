package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Failed;
import dev.penstock.Unknown;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes over the wire, on real sockets. */
@Timeout(120)
class HttpTargetWireRealClockTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final HttpCall CALL = HttpCall.post("/in", "<pay/>");

    @Test
    void sendsTheCallAsItIsToTheUrlAndReturnsTheAnswer() throws Exception {
        try (RawPeer peer = RawPeer.answering("HTTP/1.1 404 No\r\nX-Why: none\r\nContent-Length: 4\r\n\r\ngone");
                HttpTarget target = HttpTarget.at(peer.url("/v1/tx"))
                        .header("Authorization", "Bearer b")
                        .build()) {
            HttpAnswer answer = target.call(HttpCall.post("/?m=1", "<pay/>")
                    .withHeader("Idempotency-Key", "k-1")
                    .withHeader("authorization", "Bearer a"));
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text()).isEqualTo("gone");
            assertThat(answer.headers().first("x-why")).isEqualTo("none");
            assertThat(peer.requests())
                    .containsExactly("POST /v1/tx?m=1 HTTP/1.1\r\nHost: 127.0.0.1:" + peer.port()
                            + "\r\nIdempotency-Key: k-1\r\nAuthorization: Bearer b\r\nContent-Length: 6\r\n\r\n<pay/>");
        }
    }

    @Test
    void sendsAChangingHeaderAsItIsAtTheTime() throws Exception {
        AtomicReference<String> token = new AtomicReference<>("a");
        try (RawPeer peer = RawPeer.answering(OK);
                HttpTarget target = HttpTarget.at(peer.url("/"))
                        .header("authorization", "before")
                        .header("Authorization", token::get)
                        .header("X-Same", "1")
                        .build()) {
            target.call(CALL);
            token.set("b");
            target.on("/batch").call(CALL);
            token.set("two\nlines");
            assertThat(catchThrowableOfType(Failed.class, () -> target.call(CALL)))
                    .hasMessage("the configured header Authorization has no value that can be sent; correct it");
            token.set("c");
            target.get("/status");
            assertThat(peer.requests())
                    .extracting(request -> request.replaceFirst("(?s).*Authorization: (.).*", "$1"))
                    .containsExactly("a", "b", "c");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'',      /prices/4?x=1, /prices/4?x=1",
        "/,       /prices/4?x=1, /prices/4?x=1",
        "'',      /,             /",
        "'',      /?x=1,         /?x=1",
        "/v1,     /,             /v1",
        "/v1,     /?x=1,         /v1?x=1",
        "/v1,     /prices/,      /v1/prices/",
        "/v1/,    /,             /v1/",
        "/v1/,    /prices/4,     /v1/prices/4",
        "/v1?k=2, /prices?x=1,   /v1/prices?k=2"
    })
    void putsThePathOfTheCallBehindTheUrl(String url, String path, String sent) throws Exception {
        try (RawPeer peer = RawPeer.answering(OK);
                HttpTarget target = HttpTarget.of(peer.url(url))) {
            target.call(HttpCall.get(path));
            assertThat(peer.requests().getFirst()).startsWith("GET " + sent + " HTTP/1.1\r\n");
        }
    }

    @Test
    void anotherPathOfTheHostIsTheSameForEveryCall() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK);
                HttpTarget target = HttpTarget.of(peer.url("/v1"))) {
            target.on("/batch?v=2").call(HttpCall.get("/prices/4"));
            assertThat(peer.requests().getFirst()).startsWith("GET /batch?v=2 HTTP/1.1\r\n");
        }
    }

    @Test
    void putsWhatFollowsTheSourcePathBehindTheUrl() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK);
                HttpTarget target = HttpTarget.at(peer.url("/v1/tx?fixed=1"))
                        .sourcePath("/v1/payments")
                        .build()) {
            target.call(HttpCall.get("/v1/payments/123?a=b"));
            target.call(HttpCall.get("/v1/payments"));
            assertThat(peer.requests().get(0)).startsWith("GET /v1/tx/123?fixed=1 HTTP/1.1\r\n");
            assertThat(peer.requests().get(1))
                    .startsWith("GET /v1/tx?fixed=1 HTTP/1.1\r\n")
                    .doesNotContain("Content-Length");
            Failed failed = catchThrowableOfType(Failed.class, () -> target.call(HttpCall.get("/v1/paymentsX")));
            assertThat(failed.why()).isEqualTo(Failed.Cause.REFUSED);
        }
    }

    @Test
    void dropsTheFieldsOfOneConnectionBothWays() throws Exception {
        try (RawPeer peer = RawPeer.answering(String.join(
                        "\r\n",
                        "HTTP/1.1 200 OK",
                        "Connection: X-Inner, keep-alive",
                        "X-Inner: 1",
                        "Keep-Alive: timeout=9",
                        "Proxy-Authenticate: x",
                        "Transfer-Encoding: chunked",
                        "X-Kept: 1",
                        "",
                        "2",
                        "ok",
                        "0",
                        "",
                        ""));
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            HttpCall call = CALL.withHeader("Connection", "X-Secret , close")
                    .withHeader("X-Secret", "1")
                    .withHeader("TE", "trailers")
                    .withHeader("Upgrade", "h2c")
                    .withHeader("Proxy-Authorization", "x")
                    .withHeader("Expect", "100-continue")
                    .withHeader("X-Kept", "1");
            HttpAnswer answer = target.call(call);
            assertThat(answer.headers()).containsExactly(new Header("X-Kept", "1"));
            assertThat(answer.text()).isEqualTo("ok");
            assertThat(peer.requests().getFirst())
                    .contains("X-Kept: 1")
                    .doesNotContainIgnoringCase("secret")
                    .doesNotContain("TE:", "Upgrade", "Proxy", "Expect", "Connection");
        }
    }

    @Test
    void takesNothingForAnAnswerThatNoRequestAskedFor() throws Exception {
        CountDownLatch more = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(talk -> {
                    while (talk.request() != null) {
                        talk.send(OK);
                        if (sent.getCount() > 0) {
                            more.await();
                            talk.send("HTTP/1.1 408 Idle\r\nContent-Length: 0\r\n\r\n");
                            sent.countDown();
                        }
                    }
                });
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            target.call(CALL);
            more.countDown();
            sent.await();
            assertThat(target.call(CALL).status()).isEqualTo(200);
            assertThat(peer.requests()).hasSize(2);
            assertThat(peer.connections()).isEqualTo(2);
        }
    }

    @Test
    void anAnswerThatCannotBeReadIsUnknown() throws Exception {
        for (String garbage : new String[] {
            "\u0001\u0002garbage\r\n\r\n",
            "HTTP/1.1 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"
        }) {
            try (RawPeer peer = RawPeer.answering(garbage);
                    HttpTarget target = HttpTarget.of(peer.url("/"))) {
                Unknown unknown = catchThrowableOfType(Unknown.class, () -> target.call(CALL));
                assertThat(unknown.why()).as(garbage).isEqualTo(Unknown.Cause.GARBLED);
                assertThat(target.connections()).containsEntry("idle", 0L).containsEntry("leased", 0L);
            }
        }
    }

    @Test
    void someAnswersHaveNoBodyAndTheConnectionGoesOn() throws Exception {
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.request();
                    talk.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n");
                    talk.request();
                    talk.send("HTTP/1.1 204 None\r\n\r\n");
                    talk.request();
                    talk.send("HTTP/1.1 304 Same\r\nContent-Length: 9\r\nETag: x\r\n\r\n");
                    talk.request();
                    talk.send(OK);
                });
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            HttpAnswer head = target.call(HttpCall.of("HEAD", "/", Headers.none(), new byte[0]));
            assertThat(head.headers().first("Content-Length")).isEqualTo("9");
            assertThat(head.body()).isEmpty();
            assertThat(target.call(CALL).status()).isEqualTo(204);
            assertThat(target.call(CALL).headers().first("ETag")).isEqualTo("x");
            assertThat(target.call(CALL).text()).isEqualTo("ok");
            assertThat(peer.connections()).isEqualTo(1);
        }
    }

    @Test
    void interimAnswersArePassedOver() throws Exception {
        try (RawPeer peer = RawPeer.answering(
                        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + OK);
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            for (int call = 0; call < 2; call++) {
                HttpAnswer answer = target.call(CALL);
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.headers()).isEmpty();
            }
            assertThat(peer.connections()).isEqualTo(1);
        }
    }

    @Test
    void aConnectionServesOnAfterOthersHaveFailed() throws Exception {
        String ok = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok";
        String[] answers = {ok, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "garbage\r\n\r\n", ok + "more"};
        AtomicInteger next = new AtomicInteger();
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.request();
                    talk.send(answers[next.getAndIncrement() % answers.length]);
                });
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            for (int round = 0; round < 3; round++) {
                assertThat(target.call(CALL).text()).isEqualTo("ok");
                assertThat(catchThrowableOfType(Unknown.class, () -> target.call(CALL))
                                .why())
                        .isEqualTo(Unknown.Cause.CLOSED);
                assertThat(catchThrowableOfType(Unknown.class, () -> target.call(CALL))
                                .why())
                        .isEqualTo(Unknown.Cause.GARBLED);
                assertThat(target.call(CALL).text()).isEqualTo("ok");
            }
        }
    }
}
