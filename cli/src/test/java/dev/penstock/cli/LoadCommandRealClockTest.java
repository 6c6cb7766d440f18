package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.SimulatorReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loads a real simulator for a fraction of a second. Whether the run is valid depends on the machine, so is not asserted. */
@Timeout(60)
class LoadCommandRealClockTest {
    @TempDir
    private Path folder;

    @Test
    void loadsATargetAtARateWithPaymentsThatAreAllDifferent() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Path json = folder.resolve("load.json");
            Path markdown = folder.resolve("load.md");
            Ran ran = load(
                    simulator,
                    "--rate",
                    "200",
                    "--for",
                    "500ms",
                    "--json",
                    json.toString(),
                    "--markdown",
                    "" + markdown);

            assertThat(ran.err()).isEmpty();
            assertThat(ran.out()).contains("TPS").contains("open load, 200/s evenly spaced for 500 ms");
            SimulatorReport.Ids ids = simulator.report().ids();
            assertThat(ids.unique()).isEqualTo(100);
            assertThat(ids.duplicates()).isZero();
            ResultFile file = ResultFile.read(json);
            assertThat(file.contestants().getFirst().blocks().getFirst())
                    .containsEntry("count", 100.0)
                    .containsEntry("errors", 0.0);
            assertThat(file.command())
                    .startsWith("penstock load http://127.0.0.1:")
                    .contains("--rate 200");
            assertThat(file.valid()).isEqualTo(ran.code() == 0);
            assertThat(Files.readString(markdown)).startsWith("|  | count |");
        }
    }

    @Test
    void usersSendWhatTheyAreGiven() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Ran ran = load(
                    simulator,
                    "--users",
                    "3",
                    "--think",
                    "10ms",
                    "--for",
                    "100ms",
                    "--body",
                    "hello",
                    "--header",
                    "X-A: b");

            assertThat(ran.out()).contains("closed load, 3 users thinking 10 ms");
            assertThat(simulator.report().ids().without()).isPositive();
            assertThat(simulator.report().requests().malformed()).isZero();
        }
    }

    @Test
    void keepsSecretsOutOfTheResultFile() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Path json = folder.resolve("load.json");
            Ran.run(
                    new LoadCommand(),
                    simulator.url() + "/pay?token=hush1",
                    "--quiet",
                    "--users=1",
                    "--for=50ms",
                    "--header=Authorization: hush2",
                    "--json=" + json);

            assertThat(Files.readString(json))
                    .doesNotContain("hush")
                    .contains("/pay?***")
                    .contains("--header=Authorization: ***");
        }
    }

    @Test
    void endsWithOneWhenAConditionIsMet() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().errors(1, 500).start()) {
            Ran ran =
                    load(simulator, "--rate", "100", "--for", "200ms", "--fail-if", "errors>0", "--fail-if", "lost>0");

            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.out()).contains("failed: errors>0\n").doesNotContain("failed: lost>0");
            assertThat(ran.out()).contains("load: answered (wrong) 20");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--for 1s | --rate=N",
                "--rate 10 --users 2 | mutually exclusive",
                "--rate 0 | a rate is above 0",
                "--rate 10 --for 5x | 5x",
                "--rate 10 --for 1s --warm-up 2s | make it shorter",
                "--rate 10 --fail-if speed>3 | is not a metric",
                "--rate 10 --body @/no/such/file | give a file that exists",
                "--rate 10 --header nonsense | write NAME: VALUE",
                "--rate 10 --json /no/such/folder/x.json | its folder does not exist",
            })
    void wrongUsageEndsWithTwoAndSaysWhy(String args, String why) {
        Ran ran = Ran.run(new LoadCommand(), ("http://127.0.0.1:1 " + args).split(" "));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(why);
    }

    @Test
    void namesTheCommandOnceInTheResultFile() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Path json = folder.resolve("load.json");
            String[] args = {"load", simulator.url() + "/pay", "--quiet", "--users=1", "--for=50ms", "--json=" + json};
            PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
            Penstock.execute(nowhere, nowhere, args);

            assertThat(ResultFile.read(json).command()).startsWith("penstock load http://127.0.0.1:");
        }
    }

    @Test
    void aStopIsOneLineAndOne() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Thread.currentThread().interrupt();
            Ran ran = load(simulator, "--rate", "10", "--for", "30s");

            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err()).startsWith("penstock: stopped before its end").hasLineCount(1);
            assertThat(ran.out()).isEmpty();
        }
    }

    @Test
    void aTargetThatIsNoUrlIsWrongUsage() {
        assertThat(Ran.run(new LoadCommand(), "gopher://x", "--rate", "1").code())
                .isEqualTo(2);
    }

    @Test
    void helpShowsAnExample() {
        Ran ran = Ran.run(new LoadCommand(), "--help");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("Example:  penstock load http://");
    }

    private static Ran load(HttpSimulator simulator, String... args) {
        String[] all = new String[args.length + 2];
        all[0] = simulator.url() + "/v1/payments";
        all[1] = "--quiet";
        System.arraycopy(args, 0, all, 2, args.length);
        return Ran.run(new LoadCommand(), all);
    }
}
