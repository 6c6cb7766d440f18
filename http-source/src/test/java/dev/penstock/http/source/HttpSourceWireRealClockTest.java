package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Byte by byte: what a source accepts as RFC 9112 asks, and that two readers of one stream cannot disagree about it. */
@Timeout(60)
class HttpSourceWireRealClockTest {
    private static final String NEXT = "GET /pay/next HTTP/1.1\r\nHost: h\r\n\r\n";

    private final List<HttpCall> calls = new CopyOnWriteArrayList<>();
    private HttpSource source;
    private RawClient client;

    @BeforeEach
    void open() throws Exception {
        source = HttpSource.on(0)
                .route("/pay", "payments", RequestGate.open(this::echo), 100, List.of(), List.of())
                .build();
        source.start();
        client = new RawClient(source.port());
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        source.close();
    }

    private HttpAnswer echo(HttpCall call) {
        calls.add(call);
        return HttpAnswer.of(200, Headers.none(), call.body());
    }

    private String answerTo(String request) throws Exception {
        return Objects.requireNonNullElse(client.send(request).answer(), "closed");
    }

    @Test
    void anHttp10ConnectionEndsWithItsAnswer() throws Exception {
        assertThat(answerTo("POST /pay HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi" + NEXT))
                .startsWith("HTTP/1.1 200 ")
                .contains("\r\nContent-Length: 2\r\n", "\r\nConnection: close\r\n")
                .doesNotContain("Transfer-Encoding")
                .endsWith("\r\n\r\nhi");
        assertThat(client.isClosed()).isTrue();
        assertThat(calls).hasSize(1);
        assertThat(calls.getFirst().headers().first("Via")).startsWith("1.0 penstock-");
    }

    @Test
    void anHttp10ConnectionLastsIfTheClientAsksForIt() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(answerTo("POST /pay HTTP/1.0\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nhi"))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("\r\nContent-Length: 2\r\n", "\r\nConnection: keep-alive\r\n")
                    .doesNotContain("Transfer-Encoding")
                    .endsWith("\r\n\r\nhi");
        }
        assertThat(answerTo(NEXT)).startsWith("HTTP/1.1 200 ").doesNotContain("Connection");
        assertThat(answerTo("GET /pay HTTP/1.0\r\nHost: h\r\nX-Hop: 1\r\nConnection: X-Hop\r\n\r\n"))
                .contains("\r\nConnection: close\r\n");
        assertThat(client.isClosed()).isTrue();
        assertThat(calls).hasSize(5);
        assertThat(calls.getLast().headers().has("X-Hop")).isFalse();
    }

    @Test
    void anHttp10ClientIsNotToldToContinue() throws Exception {
        assertThat(answerTo("POST /pay HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi"))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("\r\n\r\nhi");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.2", "HTTP/0.9", "HTTP/3.0", "HTTP/2.0"})
    void otherVersionsAreRefused(String version) throws Exception {
        assertThat(answerTo("GET /pay " + version + "\r\nHost: h\r\n\r\n")).startsWith("HTTP/1.1 505 ");
    }

    @Test
    void chunkExtensionsAreIgnored() throws Exception {
        assertThat(answerTo("POST /pay HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "2;a=b\r\nhi\r\n1 ; c=\"d;e\"\r\n!\r\n0;last\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("\r\n\r\nhi!");
        assertThat(answerTo(NEXT)).startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://other.example", "HTTP://other.example:80", "https://[::1]:80"})
    void aTargetInAbsoluteFormIsAccepted(String origin) throws Exception {
        assertThat(answerTo("GET " + origin + "/pay/1?a=/b HTTP/1.1\r\nHost: h\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(calls.getFirst().path()).isEqualTo("/pay/1?a=/b");
        assertThat(calls.getFirst().headers().all("Host")).containsExactly(origin.substring(origin.indexOf("//") + 2));
        assertThat(answerTo("GET " + origin + "?a HTTP/1.1\r\nHost: h\r\n\r\n")).startsWith("HTTP/1.1 404 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET http://user@h/pay HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET http:///pay HTTP/1.1\r\n\r\n",
                "GET http://h/pay HTTP/1.1\r\n\r\n",
                "GET http://h/pay HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n",
                "GET http://h/pay/../admin HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET http://h#/pay HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: h/pay\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost:\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: :80\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: user@h\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: user:password@h\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: h:80a\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: h:123456\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: h:80:80\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: h h\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: h?\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: h#\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: a\\b\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: [::1\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: []x\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: [::1]80\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: [g::/]\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: \u00e4\r\n\r\n",
                "GET /pay HTTP/1.1\r\nHost: h,h\r\n\r\n",
            })
    void aRequestWhoseHostIsInDoubtIsNot(String request) throws Exception {
        assertThat(answerTo(request)).startsWith("HTTP/1.1 400 ");
        assertThat(calls).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"h", "h:", "h:80", "a.example", "a_b-c~1.example:65535", "127.0.0.1:8080", "[::1]", "[::1]:80"})
    void aHostWithOrWithoutAPortIsValid(String host) throws Exception {
        assertThat(answerTo("GET /pay HTTP/1.1\r\nHost: " + host + "\r\n\r\n")).startsWith("HTTP/1.1 200 ");
    }

    /** Proxies pass an upgrade to HTTP/2 on without knowing it, so that their rules would not hold for what follows. */
    @Test
    void anUpgradeIsIgnored() throws Exception {
        assertThat(answerTo("GET /pay HTTP/1.1\r\nHost: h\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"
                        + "Connection: Upgrade, HTTP2-Settings\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(answerTo(NEXT)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void emptyLinesBeforeARequestAreIgnored() throws Exception {
        assertThat(answerTo("\r\n" + NEXT)).startsWith("HTTP/1.1 200 ");
        client.send("\r");
        assertThat(answerTo("\n" + NEXT)).startsWith("HTTP/1.1 200 ");
        assertThat(answerTo("POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi\r\n" + NEXT))
                .endsWith("\r\n\r\nhi");
        assertThat(client.answer()).startsWith("HTTP/1.1 200 ");
        assertThat(answerTo("\r\n\r\n" + NEXT)).startsWith("HTTP/1.1 200 ");
        assertThat(calls).hasSize(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"get", "Get", "post", "head", "trace", "x"})
    void methodsAreCaseSensitive(String method) throws Exception {
        assertThat(answerTo(method + " /pay HTTP/1.1\r\nHost: h\r\n\r\n"))
                .startsWith("HTTP/1.1 501 ")
                .contains("Supported methods are GET, ");
        assertThat(calls).isEmpty();
    }

    /** Where another reader of the same bytes could see another end of this request, it is refused, and the connection ends. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 0\r\nContent-Length: 40\r\n",
                "Content-Length: 40\r\nContent-Length: 0\r\n",
                "Content-Length: 0, 40\r\n",
                "Content-Length: +40\r\n",
                "Content-Length: 0x28\r\n",
                "Content-Length: 4 0\r\n",
                "Content-Length:\r\n",
                "Content-Length : 40\r\n",
                "Content-Length: \u000b40\r\n",
                "Content-Length: 40\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 40\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
                "Transfer-Encoding: chunked, chunked\r\n",
                "Transfer-Encoding: identity\r\n",
                "Transfer-Encoding: xchunked\r\n",
                "Transfer-Encoding: \u000bchunked\r\n",
                "Transfer-Encoding : chunked\r\n",
                " Transfer-Encoding: chunked\r\n",
                "X: y\r\n Transfer-Encoding: chunked\r\n",
                "X: y\nTransfer-Encoding: chunked\r\n",
            })
    void aRequestWithADisputedEndIsRefused(String fields) throws Exception {
        for (String version : List.of("1.1", "1.0")) {
            try (RawClient other = new RawClient(source.port())) {
                other.send("POST /pay HTTP/" + version + "\r\nHost: h\r\nConnection: keep-alive\r\n" + fields
                        + "\r\n0\r\n\r\n" + NEXT);
                assertThat(other.answer())
                        .startsWith("HTTP/1.1 400 ")
                        .contains("\r\nConnection: close\r\n", "\r\nPenstock-Ending: none\r\n");
                // Otherwise the source reads on for a second, so that its answer is not reset away.
                assertThat(other.shutdownOutput().isClosed()).isTrue();
            }
        }
        assertThat(calls).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked", "identity", "gzip, chunked"})
    void anHttp10RequestHasNoTransferEncoding(String coding) throws Exception {
        assertThat(answerTo("POST /pay HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: " + coding
                        + "\r\n\r\n0\r\n\r\n" + NEXT))
                .startsWith("HTTP/1.1 400 ")
                .contains("\r\nConnection: close\r\n");
        assertThat(client.shutdownOutput().isClosed()).isTrue();
        assertThat(calls).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2 x\r\nhi\r\n0\r\n\r\n",
                "2;a\nGET /pay/smuggled HTTP/1.1\r\nhi\r\n0\r\n\r\n",
                "2;a\rb\r\nhi\r\n0\r\n\r\n",
                "0\r\n;a\r\n",
                "0\r\nContent-Length: 40\r\n\r\n",
            })
    void aChunkedBodyWithADisputedEndIsRefused(String body) throws Exception {
        assertThat(answerTo("POST /pay HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + body + NEXT))
                .startsWith("HTTP/1.1 400 ")
                .contains("\r\nConnection: close\r\n");
        assertThat(client.shutdownOutput().isClosed()).isTrue();
        assertThat(calls).isEmpty();
    }
}
