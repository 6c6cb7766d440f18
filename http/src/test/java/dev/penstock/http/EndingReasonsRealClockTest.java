package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Failed;
import dev.penstock.Reason;
import dev.penstock.flow.Flow;
import dev.penstock.http.tls.TestAuthority;
import dev.penstock.http.tls.Tls;
import dev.penstock.http.tls.TlsPeer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each way in which a target cannot be reached is told apart by the reason that a flow keeps of it. */
@Timeout(120)
class EndingReasonsRealClockTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final HttpCall CALL = HttpCall.post("/in", "<pay/>");
    private static final TestAuthority ONE = TestAuthority.first();
    private static final TestAuthority TWO = TestAuthority.second();

    @TempDir
    Path folder;

    /** The one reason why a call of this target fails, in one line; the bottleneck sentence contains it. */
    private static String reason(HttpTargetBuilder to) {
        try (HttpTarget target = to.build()) {
            Flow<HttpCall, HttpAnswer> flow = Flow.named("payments").to(target);
            Failed failed = catchThrowableOfType(Failed.class, () -> flow.call(CALL));
            assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
            List<Reason.Last> reasons = flow.reasons();
            assertThat(reasons).hasSize(1);
            assertThat(flow.bottleneck().sentence())
                    .startsWith("connecting fails: 1 of 1 attempts got no connection")
                    .contains(reasons.getFirst().reason().format())
                    .doesNotContain("pool.max")
                    .doesNotContain("pool.idle");
            return reasons.getFirst().reason().toString();
        }
    }

    private static RawPeer secure(SSLContext context) throws Exception {
        return RawPeer.start(talk -> {
            talk.secure(context, false);
            while (talk.request() != null) {
                talk.send(OK);
            }
        });
    }

    private HttpTargetBuilder trustingOne(RawPeer peer) throws Exception {
        Path ca = Files.writeString(folder.resolve("ca.pem"), ONE.caPem());
        return HttpTarget.at("https://localhost:" + peer.port() + "/v1")
                .tls(Tls.platform().trusting(ca));
    }

    @ParameterizedTest
    @EnumSource(HttpVersion.class)
    void anUnknownHost(HttpVersion version) {
        assertThat(reason(HttpTarget.at("https://penstock-test.invalid/").version(version)))
                .startsWith("failed (connect): unknown host penstock-test.invalid:443")
                .contains("java.net.UnknownHostException");
    }

    @ParameterizedTest
    @EnumSource(HttpVersion.class)
    void aRefusedConnection(HttpVersion version) throws Exception {
        int port;
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = listening.getLocalPort();
        }
        assertThat(reason(HttpTarget.at("https://127.0.0.1:" + port + "/").version(version)))
                .startsWith("failed (connect): connection refused by 127.0.0.1:" + port)
                .contains("Connection refused")
                .contains("127.0.0.1:" + port);
    }

    @ParameterizedTest
    @EnumSource(HttpVersion.class)
    void anAuthorityThatIsNotTrusted(HttpVersion version) throws Exception {
        try (RawPeer peer = secure(TlsPeer.contextOf(TWO))) {
            assertThat(reason(trustingOne(peer).version(version)))
                    .startsWith("failed (connect): TLS handshake with localhost:" + peer.port())
                    .contains("javax.net.ssl.SSLHandshakeException")
                    .contains("unable to find valid certification path")
                    .doesNotContain("CertificateExpiredException");
        }
    }

    @ParameterizedTest
    @EnumSource(HttpVersion.class)
    void aCertificateThatHasExpired(HttpVersion version) throws Exception {
        try (RawPeer peer = secure(TlsPeer.contextOf(ONE, "expired"))) {
            assertThat(reason(trustingOne(peer).version(version)))
                    .startsWith("failed (connect): TLS handshake with localhost:" + peer.port())
                    .contains("java.security.cert.CertificateExpiredException: NotAfter: ");
        }
    }

    @Test
    void aPortThatSpeaksNoTls() throws Exception {
        try (RawPeer peer = RawPeer.start(talk -> talk.send("HTTP/1.1 400 No\r\n\r\n"))) {
            HttpTargetBuilder to = trustingOne(peer).version(HttpVersion.HTTP_1_1);
            assertThat(reason(to)).contains("TLS handshake with localhost:" + peer.port());
        }
    }

    @Test
    void aProxyThatWantsAPassword() throws Exception {
        String no = "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n";
        try (RawPeer proxy = RawPeer.answering(no)) {
            String here = "127.0.0.1:" + proxy.port();
            for (String url : List.of("http://gateway.invalid/", "https://gateway.invalid/")) {
                assertThat(reason(HttpTarget.at(url).proxy(here, "me", "hunter2")))
                        .contains("proxy " + here + " answered 407")
                        .doesNotContain("hunter2");
            }
        }
    }
}
