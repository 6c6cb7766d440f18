package dev.penstock.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kit.ManualTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handshakes with a server that demands a client certificate. The JDK checks certificates by the real clock. */
@Timeout(120)
class TlsHandshakeRealClockTest {
    private static final TestAuthority ONE = TestAuthority.first();
    private static final TestAuthority TWO = TestAuthority.second();

    @TempDir
    Path directory;

    private final ManualTicker ticker = new ManualTicker();
    private TlsPeer peer;
    private Path ca;
    private Path chain;
    private Path key;

    @BeforeEach
    void start() throws Exception {
        peer = new TlsPeer(ONE);
        ca = write("ca.pem", ONE.caPem());
        chain = write("client.pem", ONE.certificatePem("client"));
        key = write("client.key", ONE.keyPem("client"));
    }

    @AfterEach
    void stop() throws Exception {
        peer.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "rsa", "ed25519"})
    void bothSidesKnowEachOther(String kind) throws Exception {
        write("client.pem", ONE.certificatePem(kind));
        write("client.key", ONE.keyPem(kind));
        SSLSession session = talk(presenting(), "localhost");
        assertThat(session.getProtocol()).isEqualTo("TLSv1.3");
        assertThat(session.getPeerPrincipal().getName()).isEqualTo("CN=server of first");
        assertThat(peer.saw()).isEqualTo("CN=" + kind + " of first");
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "rsa", "ed25519"})
    void bothSidesKnowEachOtherInTls12(String kind) throws Exception {
        peer.speakOnly("TLSv1.2");
        write("client.pem", ONE.certificatePem(kind));
        write("client.key", ONE.keyPem(kind));
        assertThat(talk(presenting(), "127.0.0.1").getProtocol()).isEqualTo("TLSv1.2");
        assertThat(peer.saw()).isEqualTo("CN=" + kind + " of first");
    }

    @Test
    void withoutACertificateTheServerRefuses() throws Exception {
        TlsMaterial nobody = open(Tls.platform().trusting(ca));
        assertThatThrownBy(() -> talk(nobody, "localhost")).isInstanceOf(SSLException.class);
        assertThat(peer.saw()).isEqualTo("refused");
    }

    @Test
    void aServerOfAnotherAuthorityIsRefused() throws Exception {
        write("ca.pem", TWO.caPem());
        TlsMaterial other = presenting();
        assertThatThrownBy(() -> talk(other, "localhost")).isInstanceOf(SSLHandshakeException.class);
        assertThat(peer.saw()).isEqualTo("refused");
        TlsMaterial platform = open(Tls.platform().presenting(chain, key));
        assertThatThrownBy(() -> talk(platform, "localhost")).isInstanceOf(SSLHandshakeException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"elsewhere.example", "127.0.0.2", "::1"})
    void aServerOfAnotherNameIsRefused(String host) throws Exception {
        TlsMaterial material = presenting();
        assertThatThrownBy(() -> talk(material, host)).isInstanceOf(SSLHandshakeException.class);
        assertThat(peer.saw()).isEqualTo("refused");
    }

    @Test
    void aServersOwnCertificateMayBeTrustedAlone() throws Exception {
        write("ca.pem", ONE.certificatePem("server"));
        talk(presenting(), "localhost");
        assertThat(peer.saw()).isEqualTo("CN=client of first");
    }

    @Test
    void anAuthorityAndAllItSignedAreExchangedInFlight() throws Exception {
        TlsMaterial material = presenting();
        talk(material, "localhost");
        assertThat(peer.saw()).isEqualTo("CN=client of first");

        peer.exchange(TWO);
        assertThatThrownBy(() -> talk(material, "localhost")).isInstanceOf(SSLHandshakeException.class);
        assertThat(peer.saw()).isEqualTo("refused");

        write("ca.pem", TWO.caPem());
        write("client.pem", TWO.certificatePem("client"));
        write("client.key", TWO.keyPem("client"));
        ticker.advance(Duration.ofSeconds(10));
        assertThat(talk(material, "localhost").getPeerPrincipal().getName()).isEqualTo("CN=server of second");
        assertThat(peer.saw()).isEqualTo("CN=client of second");
    }

    /** In TLS 1.2, where a resumed session bears the number of the one before. */
    @Test
    void sessionsAreResumedUntilSomethingChanges() throws Exception {
        peer.speakOnly("TLSv1.2");
        TlsMaterial material = presenting();
        String first = number(talk(material, "localhost"));
        ticker.advance(Duration.ofSeconds(10));
        assertThat(number(talk(material, "localhost"))).isEqualTo(first);

        SSLContext before = material.context();
        write("ca.pem", ONE.caPem() + TWO.caPem());
        ticker.advance(Duration.ofSeconds(10));
        assertThat(number(talk(material, "localhost"))).isNotEqualTo(first);
        assertThat(material.context()).isNotSameAs(before);
        assertThat(before.getClientSessionContext().getIds().hasMoreElements()).isTrue();
    }

    private TlsMaterial presenting() {
        return open(Tls.platform().trusting(ca).presenting(chain, key));
    }

    private TlsMaterial open(Tls tls) {
        return tls.open(ticker, InstantSource.system());
    }

    /** A handshake, and the byte that says that the server wants us too: in TLS 1.3 it decides after our handshake. */
    private SSLSession talk(TlsMaterial material, String host) throws IOException {
        try (SSLSocket socket = (SSLSocket)
                material.context().getSocketFactory().createSocket(peer.connect(), host, peer.port(), true)) {
            socket.setSSLParameters(HostParameters.of(host));
            socket.startHandshake();
            if (socket.getInputStream().read() != 1) {
                throw new SSLException("the server said no");
            }
            return socket.getSession();
        }
    }

    private static String number(SSLSession session) {
        return Base64.getEncoder().encodeToString(session.getId());
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }
}
