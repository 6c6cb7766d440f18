package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Failed;
import dev.penstock.http.tls.TestAuthority;
import dev.penstock.http.tls.Tls;
import dev.penstock.http.tls.TlsPeer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A proxy on the way, well-behaved or not. Only it looks for the target's host, which there is none of. */
@Timeout(120)
class HttpTargetProxyRealClockTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final HttpCall CALL = HttpCall.post("/in", "<pay/>");
    private static final String SECRET = "Basic dTpwLXNlY3JldA==";

    private static String here(RawPeer peer) {
        return "127.0.0.1:" + peer.port();
    }

    private static Failed through(RawPeer proxy, String url) {
        return through(here(proxy), url, Duration.ofMinutes(10));
    }

    private static Failed through(String proxy, String url, Duration connectTimeout) {
        try (HttpTarget target = HttpTarget.at(url)
                .proxy(proxy, "u", "p-secret")
                .connectTimeout(connectTimeout)
                .build()) {
            Failed failed = catchThrowableOfType(Failed.class, () -> target.call(CALL));
            assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(failed)
                    .hasMessageNotContaining("\n")
                    .hasMessageNotContaining("secret")
                    .hasMessageNotContaining("dTpw");
            assertThat(target.connections()).containsEntry("leased", 0L).containsEntry("idle", 0L);
            return failed;
        }
    }

    @Test
    void plainRequestsAreHandedToTheProxyWhole() throws Exception {
        try (RawPeer proxy = RawPeer.answering(OK);
                HttpTarget target = HttpTarget.at("http://gateway.invalid/v1?a=b")
                        .proxy(here(proxy), "u", "p-secret")
                        .build()) {
            HttpCall call = CALL.withHeader("Proxy-Authorization", "of another hop");
            assertThat(target.call(call).status()).isEqualTo(200);
            assertThat(target.call(call).status()).isEqualTo(200);
            assertThat(proxy.connections()).isEqualTo(1);
            assertThat(proxy.requests().getFirst())
                    .isEqualTo("POST http://gateway.invalid/v1/in?a=b HTTP/1.1\r\nHost: gateway.invalid\r\n"
                            + "Proxy-Authorization: " + SECRET + "\r\nContent-Length: 6\r\n\r\n<pay/>");
            assertThat(target.settings().toString()).contains(here(proxy)).doesNotContain("dTpw");
        }
    }

    @Test
    void aProxyThatPassesNothingOnIsNoAnswerOfTheTarget() throws Exception {
        try (RawPeer proxy =
                RawPeer.answering("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\nContent-Length: 2\r\n\r\nno")) {
            assertThat(through(proxy, "http://gateway.invalid/"))
                    .hasMessageContaining("proxy " + here(proxy) + " answered 407")
                    .hasMessageContaining("user and password");
        }
    }

    @Test
    void theTargetsOwn407IsAnAnswer() throws Exception {
        try (RawPeer peer = RawPeer.answering("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n");
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            assertThat(target.call(CALL).status()).isEqualTo(407);
        }
    }

    @Test
    void tlsGoesThroughATunnel(@TempDir Path directory) throws Exception {
        TestAuthority authority = TestAuthority.first();
        Path ca = Files.writeString(directory.resolve("ca.pem"), authority.caPem());
        SSLContext context = TlsPeer.contextOf(authority);
        try (RawPeer proxy = RawPeer.start(talk -> {
                    talk.request();
                    talk.send("HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n");
                    talk.secure(context, false);
                    while (talk.request() != null) {
                        talk.send(OK);
                    }
                });
                HttpTarget target = HttpTarget.at("https://localhost:4711/v1")
                        .proxy(here(proxy), "u", "p-secret")
                        .tls(Tls.platform().trusting(ca))
                        .connectTimeout(Duration.ofMinutes(10))
                        .build()) {
            assertThat(target.call(CALL).text()).isEqualTo("ok");
            assertThat(proxy.requests())
                    .containsExactly(
                            "CONNECT localhost:4711 HTTP/1.1\r\nHost: localhost:4711\r\nProxy-Authorization: " + SECRET
                                    + "\r\n\r\n",
                            "POST /v1/in HTTP/1.1\r\nHost: localhost:4711\r\nContent-Length: 6\r\n\r\n<pay/>");
        }
    }

    @Test
    void aTunnelThatIsRefusedIsToldWithTheProxysAnswer() throws Exception {
        try (RawPeer proxy = RawPeer.answering("HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n")) {
            assertThat(through(proxy, "https://gateway.invalid/"))
                    .hasMessageContaining("proxy " + here(proxy) + " answered 407 Who are you")
                    .hasMessageContaining("user and password");
        }
    }

    @Test
    void aProxyThatTalksGarbageOpensNoTunnel() throws Exception {
        try (RawPeer proxy = RawPeer.answering("\u0001garbage\r\n\r\n")) {
            assertThat(through(proxy, "https://gateway.invalid/")).hasMessageContaining("garbage");
        }
        try (RawPeer proxy = RawPeer.answering("HTTP/1.1 200 Fine\r\n\r\nno TLS at all")) {
            assertThat(through(proxy, "https://gateway.invalid/")).hasMessageContaining("TLS handshake with");
        }
        try (RawPeer proxy = RawPeer.start(talk -> talk.request())) {
            assertThat(through(proxy, "https://gateway.invalid/")).hasMessageContaining("closed the connection");
        }
    }

    @Test
    void aSlowProxyIsBoundedByTheTimeToConnect() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (RawPeer proxy = RawPeer.start(talk -> {
            talk.request();
            talk.send("HTTP/1.1 2");
            over.await();
        })) {
            assertThat(through(here(proxy), "https://gateway.invalid/", Duration.ofMillis(300)))
                    .hasMessageContaining("gateway.invalid:443 through proxy " + here(proxy) + " within 300 ms");
        } finally {
            over.countDown();
        }
    }

    @Test
    void aProxyThatIsNotThereIsNamed() throws Exception {
        try (RefusedPort gone = new RefusedPort()) {
            String proxy = "127.0.0.1:" + gone.number();
            assertThat(through(proxy, "http://gateway.invalid/", Duration.ofMinutes(10)))
                    .hasMessageStartingWith("connection refused by proxy " + proxy);
        }
        try (HttpTarget target =
                HttpTarget.at("http://localhost/").proxy("proxy.invalid:3128").build()) {
            assertThat(catchThrowableOfType(Failed.class, () -> target.call(CALL)))
                    .hasMessageContaining("unknown host proxy proxy.invalid:3128");
        }
    }
}
