package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.tls.TestAuthority;
import dev.penstock.http.tls.Tls;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The default maximum of connections fits into the part of the heap that is meant for them. */
@Timeout(120)
class ConnectionMemoryRealClockTest {
    private static final Pattern USED = Pattern.compile("total \\d+K, used (\\d+)K");
    private static final int CLIENTS = 400;
    private static final int BYTES_PER_CONNECTION = 20 << 10;

    @TempDir
    Path folder;

    private static String program(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    private static String jcmd(Process java, String command) throws IOException {
        Process jcmd = new ProcessBuilder(program("jcmd"), Long.toString(java.pid()), command).start();
        try (BufferedReader out = jcmd.inputReader()) {
            return String.join("\n", out.readAllLines());
        }
    }

    /** The bytes of the heap in use after a collection, in both generations of the serial collector. */
    private static long used(Process java) throws IOException {
        jcmd(java, "GC.run");
        return USED.matcher(jcmd(java, "GC.heap_info"))
                .results()
                .map((MatchResult generation) -> generation.group(1))
                .mapToLong(kilobytes -> Long.parseLong(kilobytes) << 10)
                .sum();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aConnectionInARequestHeadTakesLittle(boolean secure) throws Exception {
        TestAuthority authority = TestAuthority.first();
        Path own = Files.writeString(
                folder.resolve("own.pem"), authority.certificatePem("server") + authority.keyPem("server"));
        Path ca = Files.writeString(folder.resolve("ca.pem"), authority.caPem());
        SSLSocketFactory tls = Tls.platform().trusting(ca).open().context().getSocketFactory();
        Process server = new ProcessBuilder(
                        program("java"),
                        secure ? "-Dtls=" + own : "-Dcleartext",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServingProgram.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<RawClient> clients = new ArrayList<>();
        try (BufferedReader out = server.inputReader()) {
            int port = Integer.parseInt(out.readLine());
            long before = 0;
            for (int i = 0; i <= CLIENTS; i++) {
                clients.add(secure ? new RawClient(port, tls) : new RawClient(port));
                String head = "GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: b\r\n";
                assertThat(clients.getLast().send(head + "\r\n").answer()).endsWith("hello");
                clients.getLast().send(head);
                before = i == 0 ? used(server) : before;
            }
            assertThat((used(server) - before) / CLIENTS).isLessThan(BYTES_PER_CONNECTION);
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
            server.destroyForcibly();
        }
    }
}
