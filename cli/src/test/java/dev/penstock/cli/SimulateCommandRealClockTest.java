package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.SimulatorCertificate;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class SimulateCommandRealClockTest {
    @Test
    void saysWhereItListensAndReportsWhatItCounted() {
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
    void severalWaysOfClosingTakeTurns() {
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
                .contains("clients find its certificate in " + certificate);
        assertThat(certificate).hasContent(SimulatorCertificate.pem());
    }

    @Test
    void saysHowClientsGetItsCertificate() {
        Ran ran = run("http", "--tls", "--for", "50ms", "--quiet");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("clients need its certificate: --tls-certificate FILE writes it");
    }

    @Test
    void aPortInUseIsOneClearLine() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Ran ran = run("http", "--port", String.valueOf(simulator.port()), "--for", "1s", "--quiet");

            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err())
                    .isEqualTo("cannot listen on 127.0.0.1 port " + simulator.port()
                            + ": it is in use; choose another port, or 0 for a free one");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http --port 70000 | the port is 0 to 65535",
                "http --delay 10ms --spread 20ms | make the spread at most the delay",
                "http --delay 1s --spread 1ms --exponential | give only one of",
                "http --errors 101% | write a percentage",
                "http --close sometimes | sometimes",
                "http --close fin --close-every 1s --close-for 2s | at most the period",
                "http --close-for 1s --for 1s | does nothing without --close",
                "http --close fin --cut-share 5% --for 1s | does nothing without --close cut",
                "http --error-status 500 --for 1s | does nothing without --errors",
                "http --tls-certificate a.pem --for 1s | does nothing without --tls",
                "http --tls --tls-certificate . --for 1s | it is a directory",
                "'' | say what to simulate",
            })
    void wrongUsageEndsWithTwoAndSaysWhy(String args, String why) {
        Ran ran = run(args.isEmpty() ? new String[0] : args.split(" "));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(why);
    }

    private static Ran run(String... args) {
        return Ran.run(new SimulateCommand(), args);
    }
}
