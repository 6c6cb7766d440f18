package dev.penstock.http.source;

import static dev.penstock.http.tls.ServerTls.ClientAuth.NEED;
import static dev.penstock.http.tls.ServerTls.ClientAuth.WANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Calls;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.RawPeer;
import dev.penstock.http.tls.ServerTls;
import dev.penstock.http.tls.ServerTls.ClientAuth;
import dev.penstock.http.tls.TestAuthority;
import dev.penstock.http.tls.Tls;
import dev.penstock.http.tls.TlsMaterial;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.kit.program.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A source with TLS, as openssl, curl and raw sockets meet it. */
@Timeout(120)
@NeedsProgram({"curl", "openssl"})
class TlsSourceRealClockTest {
    private static final TestAuthority ONE = TestAuthority.first();
    private static final TestAuthority TWO = TestAuthority.second();
    private static final String REQUEST = "GET /pay HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    @TempDir
    Path folder;

    private final ManualTicker ticker = new ManualTicker();
    private final List<HttpCall> calls = new CopyOnWriteArrayList<>();
    private final List<List<X509Certificate>> clients = new CopyOnWriteArrayList<>();
    private TlsMaterial material;
    private HttpSource source;

    @BeforeEach
    void open() throws Exception {
        write("ca.pem", ONE.caPem());
        material = serving().open(ticker, InstantSource.system());
        source = started(Duration.ofSeconds(60));
    }

    @AfterEach
    void close() {
        source.close();
    }

    private Path write(String name, String text) throws IOException {
        Path made = Files.writeString(folder.resolve(name + ".new"), text);
        return Files.move(made, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    private Tls certificate(TestAuthority authority, String kind) throws Exception {
        String name = kind.replace("*", "any");
        return Tls.platform()
                .presenting(
                        write(name + ".pem", authority.certificatePem(kind)),
                        write(name + ".key", authority.keyPem(kind)));
    }

    private ServerTls serving(String... others) throws Exception {
        List<Tls> all = new ArrayList<>(List.of(certificate(ONE, "server")));
        for (String kind : others) {
            all.add(certificate(ONE, kind));
        }
        return ServerTls.of(all);
    }

    private void start(ServerTls tls) throws IOException {
        start(tls, Duration.ofSeconds(60));
    }

    private void start(ServerTls tls, Duration headerTime) throws IOException {
        source.close();
        material = tls.open(ticker, InstantSource.system());
        source = started(headerTime);
    }

    private HttpSource started(Duration headerTime) throws IOException {
        RequestGate gate = (headers, peer) -> {
            clients.add(peer.certificates());
            return new RequestGate.Admitted(headers, call -> {
                calls.add(call);
                return HttpAnswer.of(200, "paid");
            });
        };
        HttpSource made = HttpSource.on(0)
                .headerTime(headerTime)
                .tls(material)
                .route("/pay", "payments", gate, 100_000, List.of(), List.of())
                .build();
        made.start();
        return made;
    }

    private String run(String input, String... command) throws Exception {
        Path output = Files.createTempFile(folder, "output", ".txt");
        Process program = Programs.started(List.of(command), output);
        try (var to = program.getOutputStream()) {
            to.write(input.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException refused) {
            // Its output says why.
        }
        assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return Files.readString(output, StandardCharsets.ISO_8859_1);
    }

    /** What openssl reports and receives; it stays until the other side closes. */
    private String openssl(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(Programs.path("openssl"), "s_client", "-ign_eof"));
        command.addAll(List.of("-connect", "127.0.0.1:" + source.port()));
        command.addAll(List.of("-CAfile", folder.resolve("ca.pem").toString()));
        command.addAll(List.of(options));
        return run(REQUEST, command.toArray(String[]::new));
    }

    private String curl(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(Programs.path("curl"), "-s", "-S", "-i"));
        command.addAll(List.of("--cacert", folder.resolve("ca.pem").toString()));
        command.addAll(List.of(options));
        command.add("https://localhost:" + source.port() + "/pay");
        return run("", command.toArray(String[]::new));
    }

    @Test
    void speaksTls13And12AndNothingOlder() throws Exception {
        assertThat(openssl("-tls1_3", "-verify_return_error"))
                .contains("Verify return code: 0 (ok)", "TLSv1.3", "HTTP/1.1 200", "paid");
        assertThat(openssl("-tls1_2")).contains("TLSv1.2", "HTTP/1.1 200");
        for (String old : List.of("-tls1_1", "-tls1")) {
            assertThat(openssl(old, "-cipher", "ALL:@SECLEVEL=0"))
                    .contains("alert protocol version")
                    .doesNotContain("HTTP/1.1");
        }
        // A client that fell back although the server has a newer version sees it (RFC 8446 section 4.1.3).
        assertThat(openssl("-tls1_2", "-fallback_scsv"))
                .contains("inappropriate fallback")
                .doesNotContain("HTTP/1.1");
        for (String weak : List.of("NULL", "aNULL", "RC4", "kRSA", "3DES")) {
            assertThat(openssl("-tls1_2", "-cipher", weak + ":@SECLEVEL=0")).doesNotContain("HTTP/1.1");
        }
        start(serving().protocols(List.of("TLSv1.3")));
        assertThat(openssl("-tls1_2")).contains("alert protocol version").doesNotContain("HTTP/1.1");
    }

    @Test
    void ignoresRequestsToRenegotiate() throws Exception {
        String output = run(
                "R\n" + REQUEST,
                Programs.path("openssl"),
                "s_client",
                "-tls1_2",
                "-connect",
                "127.0.0.1:" + source.port());
        assertThat(output).contains("RENEGOTIATING").doesNotContain("HTTP/1.1 200");
    }

    @Test
    void choosesTheVersionOfHttpWithTheClient() throws Exception {
        assertThat(curl("--http2")).startsWith("HTTP/2 200").endsWith("paid");
        assertThat(curl("--http1.1")).startsWith("HTTP/1.1 200").endsWith("paid");
        assertThat(curl("--http1.0", "--no-alpn")).startsWith("HTTP/1.1 200").endsWith("paid");
        assertThat(curl("--no-alpn")).startsWith("HTTP/1.1 200").endsWith("paid");
        assertThat(openssl("-alpn", "h2,http/1.1")).contains("ALPN protocol: h2");
        assertThat(openssl("-alpn", "spdy/3")).doesNotContain("HTTP/1.1 200");
    }

    @Test
    void tellsTheTargetThatItWasHttps() throws Exception {
        for (String version : List.of("--http2", "--http1.1")) {
            calls.clear();
            curl(version, "-H", "X-Forwarded-Proto: http", "-H", "Forwarded: for=1.2.3.4;proto=http");
            assertThat(calls.getFirst().headers().all("X-Forwarded-Proto")).containsExactly("https");
            assertThat(calls.getFirst().headers().all("Forwarded")).containsExactly("for=127.0.0.1;proto=https");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, server",
        "LOCALHOST, server",
        "a.example, a.example",
        "b.wild.example, *.wild.example",
        "exact.wild.example, exact.wild.example",
        "c.b.wild.example, server",
        "wild.example, server",
        "unknown.example, server",
        ", server"
    })
    void choosesTheCertificateByName(String name, String kind) throws Exception {
        start(serving("a.example", "*.wild.example", "exact.wild.example"));
        for (String version : List.of("-tls1_3", "-tls1_2")) {
            String output = name == null ? openssl(version, "-noservername") : openssl(version, "-servername", name);
            assertThat(output).contains("subject=CN = " + kind + " of first").contains("HTTP/1.1 200");
        }
    }

    @Test
    void aKeyOfTheTypeThatTheClientPrefersIsNoReasonForAnotherName() throws Exception {
        start(serving("rsa.example"));
        assertThat(openssl("-servername", "rsa.example")).contains("subject=CN = rsa.example of first");
        assertThat(openssl("-servername", "rsa.example", "-sigalgs", "ECDSA+SHA256"))
                .doesNotContain("HTTP/1.1");
        assertThat(openssl("-tls1_2", "-cipher", "aRSA")).doesNotContain("HTTP/1.1");
    }

    private String openssl(TestAuthority authority, String kind) throws Exception {
        Path certificate = write("client-" + kind + ".pem", authority.certificatePem(kind));
        Path key = write("client-" + kind + ".key", authority.keyPem(kind));
        return openssl("-cert", certificate.toString(), "-key", key.toString());
    }

    @Test
    void needsACertificateOfTheAuthority() throws Exception {
        start(serving().clients(folder.resolve("ca.pem"), NEED));
        assertThat(openssl()).contains("certificate required").doesNotContain("HTTP/1.1");
        refusesInvalidCertificates();
        acceptsAValidCertificate();
    }

    @Test
    void aWantedCertificateMayBeMissingButNotInvalid() throws Exception {
        start(serving().clients(folder.resolve("ca.pem"), WANT));
        assertThat(openssl()).contains("HTTP/1.1 200");
        assertThat(clients).containsExactly(List.of());
        clients.clear();
        refusesInvalidCertificates();
        acceptsAValidCertificate();
    }

    private void refusesInvalidCertificates() throws Exception {
        assertThat(openssl(TWO, "client")).contains("alert").doesNotContain("HTTP/1.1");
        assertThat(openssl(ONE, "expired")).contains("alert").doesNotContain("HTTP/1.1");
        assertThat(clients).isEmpty();
    }

    private void acceptsAValidCertificate() throws Exception {
        assertThat(openssl(ONE, "client")).contains("HTTP/1.1 200");
        assertThat(curl(
                        "--http2",
                        "--cert",
                        folder.resolve("client-client.pem").toString(),
                        "--key",
                        folder.resolve("client-client.key").toString()))
                .startsWith("HTTP/2 200");
        assertThat(clients)
                .hasSize(2)
                .allSatisfy(chain -> assertThat(chain.getFirst()).isEqualTo(ONE.certificate("client")));
    }

    @Test
    void anUnfinishedHandshakeHoldsNoThreadAndIsClosed() throws Exception {
        start(serving(), Duration.ofMillis(500));
        List<RawClient> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 60; i++) {
                // The first bytes of a ClientHello, or none.
                slow.add(new RawClient(source.port()).send(i % 2 == 0 ? "" : "\u0016\u0003\u0001\u0002\u0000\u0001"));
            }
            assertThat(curl()).contains(" 200");
            for (RawClient client : slow) {
                assertThat(client.exactly(1_000)).doesNotContain("HTTP");
            }
            Calls.until(() -> source.connections() == 0);
        } finally {
            for (RawClient client : slow) {
                client.close();
            }
        }
    }

    @Test
    void cleartextIsClosedAndCountsAsConnectionUntilThen() throws Exception {
        try (RawClient client = new RawClient(source.port())) {
            client.sendWhatGoes(REQUEST);
            String answer = client.exactly(1_000);
            assertThat(answer).doesNotContain("HTTP");
        }
        Calls.until(() -> source.connections() == 0);
    }

    private SSLSocket connect() throws IOException {
        SSLContext trusting =
                Tls.platform().trusting(folder.resolve("both.pem")).open().context();
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), source.port());
        plain.setSoTimeout(60_000);
        return (SSLSocket) trusting.getSocketFactory().createSocket(plain, "localhost", source.port(), true);
    }

    private void trustBoth() throws Exception {
        write("both.pem", ONE.caPem() + TWO.caPem());
    }

    private static String exchange(SSLSocket client) throws IOException {
        client.getOutputStream()
                .write("GET /pay HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        return String.valueOf(RawPeer.read(client.getInputStream()));
    }

    @Test
    void limitsTheTimeOfAWholeHead() throws Exception {
        trustBoth();
        start(serving(), Duration.ofMillis(300));
        try (SSLSocket client = connect()) {
            assertThat(exchange(client)).startsWith("HTTP/1.1 200");
            client.getOutputStream().write("GET /pay HTTP/1.1\r\nHost: ".getBytes(StandardCharsets.ISO_8859_1));
            assertThat(RawPeer.read(client.getInputStream())).startsWith("HTTP/1.1 408");
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
        try (SSLSocket silent = connect()) {
            silent.startHandshake();
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
        }
    }

    private String served() throws Exception {
        try (SSLSocket client = connect()) {
            client.startHandshake();
            return ((X509Certificate) client.getSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        }
    }

    private void isServedFrom(String name) {
        ticker.advance(Duration.ofSeconds(11));
        Calls.until(() -> {
            try {
                return served().equals(name);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void changedFilesServeNewConnectionsAndOldOnesStay() throws Exception {
        trustBoth();
        AtomicBoolean done = new AtomicBoolean();
        List<CompletableFuture<Integer>> traffic =
                List.of(kept(done), kept(done), reconnecting(done), reconnecting(done));
        for (int i = 0; i < 3; i++) {
            certificate(TWO, "server");
            isServedFrom("CN=server of second");
            certificate(ONE, "server");
            isServedFrom("CN=server of first");
        }
        done.set(true);
        for (CompletableFuture<Integer> client : traffic) {
            assertThat(client.get(60, TimeUnit.SECONDS)).isPositive();
        }
    }

    /** Requests on one connection; returns how many. */
    private CompletableFuture<Integer> kept(AtomicBoolean done) {
        return CompletableFuture.supplyAsync(
                () -> {
                    int count = 0;
                    try (SSLSocket client = connect()) {
                        for (; !done.get(); count++) {
                            assertThat(exchange(client)).startsWith("HTTP/1.1 200");
                        }
                        return count;
                    } catch (IOException e) {
                        throw new IllegalStateException("after " + count, e);
                    }
                },
                Thread::startVirtualThread);
    }

    private CompletableFuture<Integer> reconnecting(AtomicBoolean done) {
        return CompletableFuture.supplyAsync(
                () -> {
                    int count = 0;
                    for (; !done.get(); count++) {
                        try (SSLSocket client = connect()) {
                            assertThat(exchange(client)).startsWith("HTTP/1.1 200");
                        } catch (IOException e) {
                            throw new IllegalStateException("after " + count, e);
                        }
                    }
                    return count;
                },
                Thread::startVirtualThread);
    }

    @Test
    void unusableFilesLeaveThoseOfBefore() throws Exception {
        trustBoth();
        write("server.pem", TWO.certificatePem("server"));
        ticker.advance(Duration.ofSeconds(11));
        Calls.until(() -> !material.warnings().isEmpty());
        assertThat(material.warnings())
                .singleElement()
                .asString()
                .contains("server.key is not the key of the first certificate");
        assertThat(served()).isEqualTo("CN=server of first");
        write("server.key", TWO.keyPem("server"));
        isServedFrom("CN=server of second");
        assertThat(material.warnings()).isEmpty();
    }

    @Test
    void showsItsCertificates() throws Exception {
        assertThat(source.where()).startsWith("https://127.0.0.1:");
        assertThat(material.settings("source."))
                .filteredOn(setting -> setting.name().equals("source.tls.certificate"))
                .singleElement()
                .satisfies(setting -> {
                    assertThat(setting.value()).isEqualTo("CN=server of first from " + folder.resolve("server.pem"));
                    assertThat(setting.reason()).contains("valid from", "until");
                });
    }

    @Test
    void refusesUnusableFilesAtOnce() throws Exception {
        Path key = write("other.key", "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");
        Tls other = Tls.platform().presenting(folder.resolve("server.pem"), key);
        assertThatThrownBy(() -> ServerTls.of(other).open())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("which is not PKCS8: convert it with openssl pkcs8");
        assertThatThrownBy(() -> ServerTls.of(Tls.platform())).hasMessageContaining("needs a certificate");
        assertThatThrownBy(() -> ServerTls.of(List.of())).hasMessageContaining("1 to 64");
        assertThatThrownBy(() -> serving().protocols(List.of("TLSv1.1"))).hasMessageContaining("not as [TLSv1.1]");
        assertThat(List.of(ClientAuth.values())).containsExactly(NEED, WANT);
    }

    private static HttpSourceBuilder other() {
        return HttpSource.on(0).route("/other", "others", call -> HttpAnswer.of(200, "other"));
    }

    @Test
    void servesAsAnotherSourceWithItsCertificatesOnTheSamePort() throws Exception {
        int port = source.port();
        assertThat(openssl()).contains("CN = server of first", "paid");
        HttpSource next =
                other().tls(ServerTls.of(certificate(ONE, "a.example")).open()).build();
        source.serve(next);
        assertThat(source.port()).isEqualTo(port);
        assertThat(openssl()).contains("CN = a.example of first", "HTTP/1.1 404");
        assertThat(source.where()).endsWith(" /other");
    }

    @Test
    void cannotServeAsASourceWithAnotherProtocol() {
        HttpSource cleartext = other().build();
        assertThat(source.canServe(cleartext)).isFalse();
        assertThat(source.canServe(other().tls(material).build())).isTrue();
        assertThat(source.canServe(other().tls(material)
                        .proxyProtocol(List.of("10.0.0.0/8"))
                        .build()))
                .isFalse();
        assertThatThrownBy(() -> source.serve(cleartext)).hasMessageContaining("while it listens");
    }
}
