package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Failed;
import dev.penstock.Retry;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.http.tls.TestAuthority;
import dev.penstock.http.tls.Tls;
import dev.penstock.http.tls.TlsPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which TLS alerts prove that a POST was not taken: those of a handshake that no byte of a request has followed. */
@Timeout(120)
class TlsAlertRealClockTest {
    private static final List<String> PROTOCOLS = List.of("TLSv1.2", "TLSv1.3");
    private static final TestAuthority ONE = TestAuthority.first();
    private static final TestAuthority TWO = TestAuthority.second();
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final HttpCall POST = HttpCall.post("/pay", "<pay/>");

    @TempDir
    Path directory;

    /** How the handshakes ended at the server. */
    private final List<String> handshakes = new CopyOnWriteArrayList<>();

    private Path ca;

    /** handshake_failure, bad_certificate, access_denied, certificate_required. */
    static Stream<Arguments> alerts() {
        return PROTOCOLS.stream()
                .flatMap(protocol -> Stream.of(40, 42, 49, 116).map(alert -> Arguments.of(protocol, alert)));
    }

    @BeforeEach
    void trustTheFirst() throws Exception {
        ca = write("ca.pem", ONE.caPem());
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    /** Answers the first requests of each connection, and reads each other one before it sends a fatal alert. */
    private static RawPeer alerting(String protocol, int alert, int answered) throws IOException {
        return RawPeer.start(talk -> {
            talk.secure(TlsPeer.contextOf(ONE), false, protocol);
            for (int n = 0; n < answered; n++) {
                talk.request();
                talk.send(OK);
            }
            if (talk.request() != null) {
                talk.alert(alert);
                // Not closed by this side first: the alert alone is what the client sees.
                talk.request();
            }
        });
    }

    /** Demands a certificate of its own authority in the handshake. */
    private RawPeer demanding(String protocol) throws IOException {
        return RawPeer.start(talk -> {
            try {
                talk.secure(TlsPeer.contextOf(ONE), true, protocol);
            } catch (IOException refused) {
                handshakes.add(String.valueOf(refused.getMessage()));
                throw refused;
            }
            handshakes.add("done");
            talk.request();
            talk.send(OK);
        });
    }

    private HttpTarget target(RawPeer peer, Tls tls) {
        return HttpTarget.at("https://localhost:" + peer.port() + "/v1")
                .tls(tls)
                .version(HttpVersion.HTTP_1_1)
                .connectTimeout(Duration.ofMinutes(1))
                .build();
    }

    private static Flow<HttpCall, HttpAnswer> threeAttempts(HttpTarget target) {
        return Flow.named("payments")
                .deadline(Duration.ofMinutes(2))
                .retry(Retry.whenNotSent().attempts(3).backoff(Duration.ZERO, Duration.ZERO))
                .to(target);
    }

    private static void isUnknown(Flow<HttpCall, HttpAnswer> payments) {
        Unknown unknown = catchThrowableOfType(Unknown.class, () -> payments.call(POST));
        assertThat(unknown).hasMessageContaining("may have been processed").hasMessageNotContaining("\n");
        assertThat(unknown.why()).isEqualTo(Unknown.Cause.CLOSED);
    }

    private static void isNoConnection(Flow<HttpCall, HttpAnswer> payments) {
        Failed failed = catchThrowableOfType(Failed.class, () -> payments.call(POST));
        assertThat(failed)
                .hasMessageContaining("TLS handshake with")
                .hasMessageContaining("check its certificate")
                .hasMessageNotContaining("\n");
        assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void anAlertAfterThePostWasReadIsUnknownAndItIsSentOnce(String protocol, int alert) throws Exception {
        try (RawPeer peer = alerting(protocol, alert, 0);
                HttpTarget target = target(peer, Tls.platform().trusting(ca))) {
            isUnknown(threeAttempts(target));
            assertThat(peer.requests())
                    .singleElement()
                    .asString()
                    .startsWith("POST /v1/pay HTTP/1.1\r\n")
                    .endsWith("<pay/>");
            assertThat(peer.connections()).isOne();
        }
    }

    @ParameterizedTest
    @FieldSource("PROTOCOLS")
    void theSameOnAConnectionThatWasUsedBefore(String protocol) throws Exception {
        try (RawPeer peer = alerting(protocol, 42, 1);
                HttpTarget target = target(peer, Tls.platform().trusting(ca))) {
            Flow<HttpCall, HttpAnswer> payments = threeAttempts(target);
            assertThat(payments.call(POST).text()).isEqualTo("ok");
            isUnknown(payments);
            assertThat(peer.requests()).hasSize(2);
            assertThat(peer.connections()).isOne();
        }
    }

    /** In TLS 1.2 the client's part of the handshake is answered before any byte of a request. */
    @Test
    void aMissingCertificateInTheHandshakeIsNoConnection() throws Exception {
        try (RawPeer peer = demanding("TLSv1.2");
                HttpTarget target = target(peer, Tls.platform().trusting(ca))) {
            isNoConnection(threeAttempts(target));
            assertThat(peer.requests()).isEmpty();
            assertThat(peer.connections()).isEqualTo(3);
            assertThat(handshakes).isNotEmpty().doesNotContain("done");
        }
    }

    @Test
    void aCertificateOfAnotherAuthorityInTheHandshakeIsNoConnection() throws Exception {
        Tls tls = Tls.platform()
                .trusting(ca)
                .presenting(
                        write("client.pem", TWO.certificatePem("client")), write("client.key", TWO.keyPem("client")));
        try (RawPeer peer = demanding("TLSv1.2");
                HttpTarget target = target(peer, tls)) {
            isNoConnection(threeAttempts(target));
            assertThat(peer.requests()).isEmpty();
            assertThat(peer.connections()).isEqualTo(3);
            assertThat(handshakes).isNotEmpty().doesNotContain("done");
        }
    }

    /** There this side sends the alert. */
    @ParameterizedTest
    @FieldSource("PROTOCOLS")
    void aServerOfAnUnknownAuthorityIsNoConnection(String protocol) throws Exception {
        Path others = write("others.pem", TWO.caPem());
        try (RawPeer peer = alerting(protocol, 40, 0);
                HttpTarget target = target(peer, Tls.platform().trusting(others))) {
            isNoConnection(threeAttempts(target));
            assertThat(peer.requests()).isEmpty();
            assertThat(peer.connections()).isEqualTo(3);
        }
    }
}
