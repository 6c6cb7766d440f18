package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.tls.TestAuthority;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.kit.program.Programs;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gateway with TLS, from its flow file to what curl and openssl see. */
@Timeout(120)
@NeedsProgram({"curl", "openssl"})
class TlsGatewayRealClockTest extends GatewayFixture {
    private static final TestAuthority ONE = TestAuthority.first();
    private static final TestAuthority TWO = TestAuthority.second();

    @Override
    Gateway start() throws Exception {
        write(ONE, "server");
        write(ONE, "a.example");
        Files.writeString(folder.resolve("ca.pem"), ONE.caPem());
        return Running.gateway(folder, """
                admin: { port: 0, tls: { certificate: server.pem, key: server.key, client_ca: ca.pem, client_auth: want } }
                flows:
                  payments:
                    from:
                      http:
                        port: 0
                        path: /pay
                        tls: { certificate: [server.pem, a.example.pem], key: [server.key, a.example.key], client_ca: ca.pem, client_auth: want }
                        auth: { mtls: { name: san } }
                    to: { http: { url: "%s" } }
                """.formatted(target.url()));
    }

    private void write(TestAuthority authority, String kind) throws Exception {
        Files.writeString(folder.resolve(kind + ".pem"), authority.certificatePem(kind));
        Files.writeString(folder.resolve(kind + ".key"), authority.keyPem(kind));
    }

    private String run(String... command) throws Exception {
        Path output = Files.createTempFile(folder, "output", ".txt");
        List<String> all = new ArrayList<>(List.of(command));
        all.set(0, Programs.path(command[0]));
        Process program = Programs.started(all, output);
        program.getOutputStream().close();
        assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return Files.readString(output);
    }

    private String curl(String url, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("curl", "-s", "-S", "-i", "--cacert", file("ca.pem")));
        command.addAll(List.of(options));
        command.add(url);
        return run(command.toArray(String[]::new));
    }

    /** With the client certificate of a kind. */
    private String curlAs(String kind, String url, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--cert", file(kind + ".pem"), "--key", file(kind + ".key")));
        return curl(url, all.toArray(String[]::new));
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private int port() {
        return URI.create(Running.url(gateway)).getPort();
    }

    private String pay() {
        return "https://localhost:" + port() + "/pay";
    }

    private String admin(String path) {
        URI admin = Objects.requireNonNull(gateway.adminAddress());
        assertThat(admin.getScheme()).isEqualTo("https");
        return "https://localhost:" + admin.getPort() + path;
    }

    @Test
    void servesCallersWithCertificatesByName() throws Exception {
        assertThat(Running.url(gateway)).startsWith("https://127.0.0.1:");
        assertThat(curlAs("a.example", pay(), "--http2", "-d", "x", "-H", "Penstock-Caller: root"))
                .startsWith("HTTP/2 200")
                .contains("penstock-ending: answered");
        assertThat(target.headers.get("Penstock-Caller")).containsExactly("a.example");
        assertThat(curl(pay(), "-d", "x")).contains(" 403").contains("Valid credentials are required");
        write(TWO, "b.example");
        write(ONE, "expired");
        for (String refused : List.of("b.example", "expired")) {
            assertThat(curlAs(refused, pay(), "-d", "x")).contains("alert").doesNotContain("HTTP/");
        }
        assertThat(target.received).hasValue(1);
        assertThat(run("openssl", "s_client", "-connect", "127.0.0.1:" + port(), "-servername", "a.example"))
                .contains("subject=CN = a.example of first");
    }

    @Test
    void aCertificateOpensTheAdminPort() throws Exception {
        assertThat(curl(admin("/health"))).contains(" 200", "\"status\":\"ok\"");
        assertThat(curl(admin("/flows"))).contains(" 403", "the admin port needs a client certificate");
        assertThat(curlAs("a.example", admin("/flows"))).contains(" 200", "\"payments\"");
        String[] pin = {"-H", "Content-Type: application/json", "-d", "{\"value\": 9}"};
        String limit = admin("/settings/payments/limit");
        assertThat(curl(limit, pin)).contains(" 403");
        assertThat(curlAs("a.example", limit, "-H", "Origin: https://evil.example", "-d", "{\"value\": 9}"))
                .contains(" 403");
        assertThat(curlAs("a.example", limit, pin)).contains(" 200", "with the certificate of CN=a.example of first");
    }

    @Test
    void showsWhatIsServedAndWhatIsWrong() throws Exception {
        assertThat(gateway.flows().getFirst().snapshot().settings())
                .filteredOn(setting -> setting.name().equals("source.tls.certificate"))
                .singleElement()
                .satisfies(setting -> assertThat(setting.value())
                        .contains("CN=server of first from " + file("server.pem"), file("a.example.pem")));
        long expires = ONE.certificate("server").getNotAfter().toInstant().getEpochSecond();
        assertThat(curlAs("a.example", admin("/metrics")).lines())
                .filteredOn(line -> line.startsWith("penstock_certificate_expiry_seconds{"))
                .hasSize(2)
                .anySatisfy(line -> {
                    assertThat(line).contains("subject=\"CN=server of first\"", "file=\"" + file("server.pem") + "\"");
                    assertThat(Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                            .isEqualTo(expires);
                });
        write(TWO, "server");
        Files.writeString(folder.resolve("server.key"), "no key");
        Running.until(() -> {
            try {
                return curlAs("a.example", admin("/events"), "-m", "2")
                        .contains("server.key contains 0 private keys: it needs exactly one block");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(curlAs("a.example", pay(), "-d", "x")).contains(" 200");
    }
}
