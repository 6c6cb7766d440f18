package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Failed;
import dev.penstock.Setting;
import dev.penstock.Unknown;
import dev.penstock.http.tls.TestAuthority;
import dev.penstock.http.tls.Tls;
import dev.penstock.http.tls.TlsPeer;
import dev.penstock.text.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A target over TLS, with a server that can change its certificate. */
@Timeout(120)
class HttpTargetTlsRealClockTest {
    private static final TestAuthority ONE = TestAuthority.first();
    private static final TestAuthority TWO = TestAuthority.second();
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final HttpCall CALL = HttpCall.post("/in", "<pay/>");

    @TempDir
    Path directory;

    private final JumpingTicker ticker = new JumpingTicker();
    private final List<String> clients = new CopyOnWriteArrayList<>();
    private volatile SSLContext context;
    private Path ca;

    @BeforeEach
    void trustTheFirst() throws Exception {
        context = TlsPeer.contextOf(ONE);
        ca = write("ca.pem", ONE.caPem());
    }

    private RawPeer peer(boolean wantsClient) throws IOException {
        return RawPeer.start(talk -> {
            talk.secure(context, wantsClient);
            clients.add(wantsClient ? talk.client() : "anybody");
            while (talk.request() != null) {
                talk.send(OK);
            }
        });
    }

    private HttpTarget target(RawPeer peer, Tls tls) {
        return HttpTarget.at("https://localhost:" + peer.port() + "/v1")
                .tls(tls)
                .version(HttpVersion.HTTP_1_1)
                .connectTimeout(Duration.ofMinutes(1))
                .idle(Duration.ofMinutes(10))
                .build(ticker);
    }

    @Test
    void carriesCallsOverOneConnection() throws Exception {
        try (RawPeer peer = peer(false);
                HttpTarget target = target(peer, Tls.platform().trusting(ca))) {
            assertThat(target.call(CALL).text()).isEqualTo("ok");
            assertThat(target.call(CALL).text()).isEqualTo("ok");
            assertThat(peer.connections()).isEqualTo(1);
            assertThat(peer.requests()).hasSize(2).allMatch(request -> request.startsWith("POST /v1/in HTTP/1.1\r\n"));
            assertThat(target.times().get("securing")).isPositive();
            assertThat(target.settings())
                    .filteredOn(setting -> setting.name().equals("tls.trust"))
                    .extracting(Setting::value)
                    .asString()
                    .contains("ca.pem");
        }
    }

    @Test
    void aServerThatIsNotTrustedIsNoConnectionAndToldInOneLine() throws Exception {
        write("ca.pem", TWO.caPem());
        try (RawPeer peer = peer(false);
                HttpTarget target = target(peer, Tls.platform().trusting(ca))) {
            Failed failed = catchThrowableOfType(Failed.class, () -> target.call(CALL));
            assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(failed)
                    .hasMessageStartingWith(
                            "TLS handshake with localhost:" + peer.port() + " failed, certificate not trusted (")
                    .hasMessageContaining("check its certificate")
                    .hasMessageNotContaining("\n");
            assertThat(peer.requests()).isEmpty();
            assertThat(target.connections())
                    .containsEntry("opened", 0L)
                    .containsEntry("idle", 0L)
                    .containsEntry("leased", 0L);
        }
    }

    private static String pin(TestAuthority authority, String kind) throws Exception {
        byte[] key = authority.certificate(kind).getPublicKey().getEncoded();
        return "sha256/" + Base64.getEncoder().encodeToString(Sha256.of(key));
    }

    @ParameterizedTest
    @EnumSource(
            value = HttpVersion.class,
            names = {"AUTO", "HTTP_1_1"})
    void onlyAServerWithAPinnedKeyIsCalled(HttpVersion version) throws Exception {
        Tls trusting = Tls.platform().trusting(ca);
        List<String> others = List.of(pin(TWO, "server"), pin(ONE, "ca"));
        try (RawPeer peer = peer(false);
                HttpTarget right = HttpTarget.at("https://localhost:" + peer.port())
                        .tls(trusting.pinning(List.of(pin(TWO, "server"), pin(ONE, "server"))))
                        .version(version)
                        .build();
                HttpTarget wrong = HttpTarget.at("https://localhost:" + peer.port())
                        .tls(trusting.pinning(others))
                        .version(version)
                        .build()) {
            assertThat(right.call(CALL).status()).isEqualTo(200);
            Failed failed = catchThrowableOfType(Failed.class, () -> wrong.call(CALL));
            assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(failed)
                    .hasMessageStartingWith("TLS handshake with localhost:" + peer.port() + " failed (")
                    .hasMessageContaining(
                            "the server's key " + pin(ONE, "server") + " is not among the pins; add it if it is right");
            assertThat(peer.requests()).hasSize(1);
            assertThat(wrong.settings())
                    .filteredOn(setting -> setting.name().equals("tls.pin"))
                    .extracting(Setting::value)
                    .containsExactly(String.join(", ", others));
        }
    }

    @Test
    void aPinDoesNotReplaceTrust() throws Exception {
        write("ca.pem", TWO.caPem());
        try (RawPeer peer = peer(false);
                HttpTarget target = target(peer, Tls.platform().trusting(ca).pinning(List.of(pin(ONE, "server"))))) {
            assertThat(catchThrowableOfType(Failed.class, () -> target.call(CALL)))
                    .hasMessageContaining("certificate not trusted");
        }
    }

    @Test
    void presentsACertificateToWhoAsksForIt() throws Exception {
        Tls tls = Tls.platform()
                .trusting(ca)
                .presenting(
                        write("client.pem", ONE.certificatePem("client")), write("client.key", ONE.keyPem("client")));
        try (RawPeer peer = peer(true);
                HttpTarget target = target(peer, tls)) {
            assertThat(target.call(CALL).status()).isEqualTo(200);
            assertThat(clients).containsExactly("CN=client of first");
        }
    }

    /** In TLS 1.3 its alert comes after the request was sent, and a server may send the same alert after it read the request. */
    @Test
    void anAlertAfterTheRequestWasSentProvesNothing() throws Exception {
        try (RawPeer peer = peer(true);
                HttpTarget target = target(peer, Tls.platform().trusting(ca))) {
            Unknown unknown = catchThrowableOfType(Unknown.class, () -> target.call(CALL));
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.CLOSED);
            assertThat(unknown).hasMessageNotContaining("\n");
        }
    }

    @Test
    void whenTheAuthorityIsExchangedOldConnectionsAreNotUsedAgain() throws Exception {
        try (RawPeer peer = peer(false);
                HttpTarget target = target(peer, Tls.platform().trusting(ca))) {
            target.call(CALL);
            context = TlsPeer.contextOf(TWO);
            write("ca.pem", TWO.caPem());
            ticker.jump(Duration.ofSeconds(61));
            // What comes on any connection wakes the pool, which then sees how late it is.
            assertThat(target.call(CALL).status()).isEqualTo(200);
            Calls.until(target, "retired", 1);
            assertThat(target.call(CALL).status()).isEqualTo(200);
            assertThat(target.connections()).containsEntry("opened", 2L);

            write("ca.pem", ONE.caPem());
            ticker.jump(Duration.ofSeconds(61));
            target.call(CALL);
            Calls.until(target, "retired", 2);
            Failed failed = catchThrowableOfType(Failed.class, () -> target.call(CALL));
            assertThat(failed).hasMessageContaining("TLS handshake with");
        }
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }
}
