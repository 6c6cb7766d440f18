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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway with TLS, from its flow file to what curl and openssl see. */
@Timeout(120)
@NeedsProgram({"curl", "openssl"})
class TlsGatewayRealClockTest {
    private static final TestAuthority ONE = TestAuthority.first();

    @TempDir
    Path folder;

    private SlowTarget target;
    private Gateway gateway;

    @BeforeEach
    void open() throws Exception {
        write(ONE, "server");
        write(ONE, "a.example");
        write(ONE, "client");
        Files.writeString(folder.resolve("ca.pem"), ONE.caPem());
        target = new SlowTarget();
        gateway = Running.gateway(folder, """
                admin: { port: 0, tls: { certificate: a.example.pem, key: a.example.key } }
                flows:
                  payments:
                    from:
                      http:
                        port: 0
                        path: /pay
                        tls: { certificate: [server.pem, a.example.pem], key: [server.key, a.example.key], client_ca: ca.pem, client_auth: want }
                    to: { http: { url: "%s" } }
                """.formatted(target.url()));
    }

    @AfterEach
    void close() {
        gateway.close();
        target.close();
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

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private int port() {
        return URI.create(Running.url(gateway)).getPort();
    }

    @Test
    void servesFlowsAndAdminPages() throws Exception {
        assertThat(Running.url(gateway)).startsWith("https://127.0.0.1:");
        assertThat(curl("https://localhost:" + port() + "/pay", "--http2", "-d", "x"))
                .startsWith("HTTP/2 200")
                .contains("penstock-ending: answered");
        assertThat(curl(
                        "https://localhost:" + port() + "/pay",
                        "-d",
                        "x",
                        "--cert",
                        file("client.pem"),
                        "--key",
                        file("client.key")))
                .contains(" 200");
        assertThat(run("openssl", "s_client", "-connect", "127.0.0.1:" + port(), "-servername", "a.example"))
                .contains("subject=CN = a.example of first");
        URI admin = Objects.requireNonNull(gateway.adminAddress());
        assertThat(admin.getScheme()).isEqualTo("https");
        String known = "a.example:" + admin.getPort();
        // The certificate is verified by name, Host is one that the pages know.
        assertThat(curl("https://" + known + "/health", "--resolve", known + ":127.0.0.1", "-H", "Host: localhost"))
                .contains(" 200", "\"status\":\"ok\"");
    }

    @Test
    void showsWhatIsServed() {
        assertThat(gateway.flows().getFirst().snapshot().settings())
                .filteredOn(setting -> setting.name().equals("source.tls.certificate"))
                .singleElement()
                .satisfies(setting -> assertThat(setting.value())
                        .contains("CN=server of first from " + file("server.pem"), file("a.example.pem")));
    }
}
