package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.simulate.udp.UdpSimulator;
import dev.penstock.lab.simulate.udp.UdpSimulatorBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Load, simulator and probe of datagrams for fractions of a second. Whether a run is valid depends on the machine, so is not asserted. */
@Timeout(120)
class UdpCommandsRealClockTest {
    @TempDir
    private Path folder;

    @Test
    void loadsAtARateAndReportsLoss() throws IOException {
        try (UdpSimulator simulator = replacing().drop(0.5).start()) {
            Path json = folder.resolve("load.json");
            Ran ran = load(simulator, "--rate", "400", "--for", "500ms", "--json", json.toString(), "--size", "100");

            assertThat(ran.err()).isEmpty();
            assertThat(ran.out()).contains("400 datagrams/s for 500 ms").contains("lost by number: ");
            ResultFile file = ResultFile.read(json);
            Map<String, Double> figures = file.contestants().getFirst().blocks().getFirst();
            assertThat(figures)
                    .containsEntry("count", 200.0)
                    .containsEntry("wrong", 0.0)
                    .containsEntry("lost", (double) simulator.report().dropped())
                    .containsKeys("pps", "tps", "duplicates");
            assertThat(file.valid()).isEqualTo(ran.code() == 0);
        }
    }

    @Test
    void loadsInBursts() throws IOException {
        try (UdpSimulator simulator = replacing().duplicate(1).start()) {
            Ran ran = load(simulator, "--burst", "20", "--every", "500ms", "--for", "1s");

            assertThat(ran.out())
                    .contains("bursts of 20 datagrams every 500 ms for 1 s")
                    .contains("right answers 40, wrong 0, lost 0 (0.000 %)");
            assertThat(simulator.report().received()).isEqualTo(40);
        }
    }

    @Test
    void loadsByUsersThatWaitForAnswers() throws IOException {
        try (UdpSimulator simulator = replacing().start()) {
            Ran ran = load(simulator, "--users", "2", "--think", "10ms", "--for", "100ms");

            assertThat(ran.out()).contains("closed load, 2 users");
            assertThat(simulator.report().received()).isPositive();
        }
    }

    @Test
    void probesAndRecommends() throws IOException {
        try (UdpSimulator simulator = replacing().receiveBuffer(50_000).start()) {
            Path json = folder.resolve("probe.json");
            Ran ran = Ran.run(
                    new ProbeCommand(),
                    simulator.toString().replaceFirst(",.*", ""),
                    "--find",
                    "penstock",
                    "--with",
                    "turbine",
                    "--for",
                    "3s",
                    "--max-rate",
                    "500",
                    "--max-burst",
                    "2000",
                    "--quiet",
                    "--json",
                    json.toString());

            assertThat(ran.err()).isEmpty();
            assertThat(ran.out())
                    .contains("round trip: median ")
                    .contains("bursts: ")
                    .contains("from: { udp: { port: " + simulator.local().getPort() + ", burst: 2000 } }");
            ResultFile file = ResultFile.read(json);
            assertThat(file.experiment()).isEqualTo("probe");
            assertThat(file.contestants().getFirst().settings().get("findings")).contains("round trip: median ");
        }
    }

    @Test
    void silentPeerFailsWithARemedy() throws IOException {
        try (UdpSimulator simulator = replacing().drop(1).start()) {
            Ran ran = Ran.run(
                    new ProbeCommand(), simulator.toString().replaceFirst(",.*", ""), "--for", "400ms", "--quiet");

            assertThat(ran.code()).isEqualTo(CommandLineExit.FAILED);
            assertThat(ran.out()).contains("none of ").contains("check whether something listens there");
        }
    }

    @Test
    void simulatesForAWhileAndReports() {
        Ran ran = Ran.run(
                new SimulateUdpCommand(),
                "--for",
                "50ms",
                "--quiet",
                "--drop",
                "1%",
                "--find",
                "a",
                "--receive-buffer",
                "64KB");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("listening on udp://127.0.0.1:").contains("datagrams: received 0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '%',
            value = {
                "udp://127.0.0.1 --rate 1 % not a UDP target: write udp://HOST:PORT",
                "udp://127.0.0.1:0 --rate 1 % the port must be 1 to 65535",
                "udp://127.0.0.1:9 --rate 1..2 % is not a datagram rate",
                "udp://127.0.0.1:9 --rate 1 --every 1s % --every has no effect without --burst",
                "udp://127.0.0.1:9 --rate 1 --with x % --with has no effect without --find",
                "udp://127.0.0.1:9 --rate 1 --find four % at least 5 bytes",
                "udp://127.0.0.1:9 --rate 1 --size 15 % must be 16 to 65507",
                "udp://127.0.0.1:9 --rate 1 --body x % --body is for an http or jms or kafka target",
                "http://127.0.0.1:9 --burst 1 % --burst is for a udp target",
                "http://127.0.0.1:9 --rate 1 --size 20 % --size is for a udp target",
            })
    void wrongUsagePrintsRemedy(String args, String why) {
        Ran ran = Ran.run(new LoadCommand(), args.split(" "));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(why);
    }

    private static UdpSimulatorBuilder replacing() {
        return UdpSimulator.plan().replace("penstock", "turbine");
    }

    private static Ran load(UdpSimulator simulator, String... more) {
        String[] all = new String[more.length + 6];
        all[0] = simulator.toString().replaceFirst(",.*", "");
        all[1] = "--find";
        all[2] = "penstock";
        all[3] = "--with";
        all[4] = "turbine";
        all[5] = "--quiet";
        System.arraycopy(more, 0, all, 6, more.length);
        return Ran.run(new LoadCommand(), all);
    }
}
