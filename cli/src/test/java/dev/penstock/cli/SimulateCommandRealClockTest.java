package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.SimulatorCertificate;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class SimulateCommandRealClockTest {
    @Test
    void printsItsAddressAndReportsItsCounts() {
        Ran ran = run(
                "http",
                "--for",
                "50ms",
                "--delay",
                "1s",
                "--spread",
                "100ms",
                "--close",
                "fin",
                "--errors",
                "5%",
                "--quiet");

        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines().toList())
                .satisfies(
                        lines -> assertThat(lines.getFirst())
                                .matches("listening on http://127.0.0.1:\\d+: answers after 1 s \\+-100 ms,"
                                        + " errors 5.00%, close fin every 10 s for 1 s"),
                        lines -> assertThat(lines).anyMatch(line -> line.startsWith("received 0 requests")));
    }

    @Test
    void severalWaysToCloseAlternate() {
        Ran ran = run("http", "--for", "50ms", "--close", "fin,rst", "--quiet");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("close fin, rst in turn every 10 s for 1 s");
    }

    @Test
    void speaksTlsAndWritesItsCertificate(@TempDir Path folder) throws IOException {
        Path certificate = folder.resolve("simulator.pem");

        Ran ran = run("http", "--tls", "--tls-certificate", certificate.toString(), "--for", "50ms", "--quiet");

        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines())
                .anyMatch(line -> line.startsWith("listening on https://127.0.0.1:"))
                .contains("clients must trust its certificate in " + certificate);
        assertThat(certificate).hasContent(SimulatorCertificate.pem());
    }

    @Test
    void printsHowClientsGetItsCertificate() {
        Ran ran = run("http", "--tls", "--for", "50ms", "--quiet");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("clients must trust its certificate: write it with --tls-certificate FILE");
    }

    @Test
    void reportsPortInUseInOneLine() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Ran ran = run("http", "--port", String.valueOf(simulator.port()), "--for", "1s", "--quiet");

            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err())
                    .isEqualTo("cannot listen on 127.0.0.1 port " + simulator.port()
                            + ": the port is in use; choose another port, or 0 for any free one");
        }
    }

    @Test
    void proxiesAServerAndReportsTraffic() throws IOException {
        try (HttpSimulator server = HttpSimulator.builder().start()) {
            String to = "localhost:" + server.port();
            Ran ran = run(
                    "tcp",
                    "--to",
                    to,
                    "--kill-idle",
                    "5s",
                    "--kill",
                    "rst",
                    "--rate",
                    "64KB",
                    "--for",
                    "50ms",
                    "--quiet");

            assertThat(ran.code()).isZero();
            assertThat(ran.out().lines().toList())
                    .satisfies(
                            lines -> assertThat(lines.getFirst())
                                    .matches("listening on 127.0.0.1:\\d+ in front of " + to
                                            + ", 65,536 bytes/s each way, kill by rst after 5 s idle"),
                            lines -> assertThat(lines).anyMatch(line -> line.startsWith("connections: accepted 0")),
                            lines -> assertThat(lines).anyMatch(line -> line.startsWith("bytes to the client: ")));
        }
    }

    @Test
    void proxyReportsPortInUseInOneLine() throws IOException {
        try (HttpSimulator server = HttpSimulator.builder().start()) {
            String port = String.valueOf(server.port());
            Ran ran = run("tcp", "--to", "localhost:1", "--port", port, "--for", "1s", "--quiet");

            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err()).startsWith("cannot listen on 127.0.0.1 port " + port + ": the port is in use");
        }
    }

    @Test
    void proxyInFrontOfItselfIsWrongUsage() throws IOException {
        String free;
        try (ServerSocket any = new ServerSocket(0)) {
            free = String.valueOf(any.getLocalPort());
        }
        Ran ran = run("tcp", "--port", free, "--to", "127.0.0.1:" + free, "--for", "1s", "--quiet");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("listen on another port than the server's " + free);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http --port 70000 | the port must be 0 to 65535",
                "http --delay 10ms --spread 20ms | use a spread of at most the delay",
                "http --delay 1s --spread 1ms --exponential | give only one of",
                "http --errors 101% | is not a percentage",
                "http --close sometimes | sometimes",
                "http --close fin --close-every 1s --close-for 2s | at most the period",
                "http --close-for 1s --for 1s | has no effect without --close",
                "http --close fin --cut-share 5% --for 1s | has no effect without --close cut",
                "http --error-status 500 --for 1s | has no effect without --errors",
                "http --tls-certificate a.pem --for 1s | has no effect without --tls",
                "http --tls --tls-certificate . --for 1s | it is a directory",
                "tcp --for 1s | Missing required option: '--to=HOST:PORT'",
                "tcp --to localhost --for 1s | write HOST:PORT, for instance --to localhost:8081",
                "tcp --to localhost:70000 --for 1s | the port of the server must be 1 to 65535",
                "tcp --to nowhere.invalid:80 --for 1s | cannot find the host \"nowhere.invalid\": check its spelling",
                "tcp --to localhost:1 --kill rst --for 1s | has no effect without --kill-idle",
                "tcp --to localhost:1 --kill-idle 0s --for 1s | use a time above 0",
                "tcp --to localhost:1 --kill-idle 1s --kill softly --for 1s | softly",
                "tcp --to localhost:1 --close header --for 1s | with fin, rst or cut",
                "tcp --to localhost:1 --close fin --close-for 2s --for 1s | has no effect without --close cut",
                "tcp --to localhost:1 --close-every 2s --for 1s | has no effect without --close",
                "tcp --to localhost:1 --rate fast --for 1s | write a whole number and a unit",
                "tcp --to localhost:1 --rate 0KB --for 1s | transfers nothing",
                "tcp --to localhost:1 --max-connections 0 --for 1s | the number of connections must be 1 to",
                "'' | add what to simulate: http, tcp or udp",
            })
    void wrongUsageExitsWith2AndPrintsReason(String args, String why) {
        Ran ran = run(args.isEmpty() ? new String[0] : args.split(" "));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(why);
    }

    private static Ran run(String... args) {
        return Ran.run(new SimulateCommand(), args);
    }
}
